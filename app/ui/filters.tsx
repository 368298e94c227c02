import { Button, Group } from "@mantine/core";
import { type ReactNode, useRef } from "react";

/** What a list is narrowed by, and the way back to all of it. */
export function Filters({
  label,
  isFiltered,
  onClear,
  children,
}: {
  /** What is listed. */
  label: string;
  isFiltered: boolean;
  onClear: () => void;
  children: ReactNode;
}) {
  const filters = useRef<HTMLElement>(null);
  const clear = () => {
    // The button is gone then.
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

/** The same way back, where nothing fits. */
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
