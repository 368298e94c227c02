import { Button, Group } from "@mantine/core";
import { type ReactNode, useRef } from "react";

/** The filters of a list, with a button that clears them. */
export function Filters({
  label,
  isFiltered,
  onClear,
  children,
}: {
  /** The name of what is listed. */
  label: string;
  isFiltered: boolean;
  onClear: () => void;
  children: ReactNode;
}) {
  const filters = useRef<HTMLElement>(null);
  const clear = () => {
    // The button disappears, so the focus moves to the first filter.
    filters.current?.querySelector<HTMLElement>("input, select")?.focus();
    onClear();
  };
  return (
    <search aria-label={label} ref={filters}>
      <Group gap="xs" align="flex-start">
        {children}
        {isFiltered ? (
          <Button variant="subtle" color="gray" onClick={clear}>
            Clear
          </Button>
        ) : null}
      </Group>
    </search>
  );
}

/** The same button, for a list without matches. */
export function ClearFilters({
  onClear,
  children = "Clear filters",
}: {
  onClear: () => void;
  children?: string;
}) {
  return (
    <Button size="xs" variant="default" mt="xs" onClick={onClear}>
      {children}
    </Button>
  );
}
