import { Button, Group } from "@mantine/core";
import { type ReactNode, useRef } from "react";
import { Empty } from "./query-state";

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

/** Says that nothing matches the filters, or nothing so far in a list that is searched part by part. */
export function NoMatches({
  noun,
  isMore,
  title = `No matching ${noun}`,
  advice,
  children,
  clear,
  onClear,
}: {
  /** The name of what is listed, in the plural. */
  noun: string;
  /** True if a part of the list hasn't been searched yet. */
  isMore: boolean;
  /** The title if nothing matches. */
  title?: string;
  /** Advice that is shown if nothing matches. */
  advice?: string;
  /** Shown above the button. */
  children?: ReactNode;
  /** The label of the button that clears the filters. */
  clear?: string;
  onClear: () => void;
}) {
  const text = isMore ? `Few ${noun} match so far. Older ${noun} weren’t searched yet.` : advice;
  return (
    <Empty title={isMore ? "No matches so far" : title}>
      {text === undefined ? null : <p>{text}</p>}
      {children}
      <ClearFilters onClear={onClear}>{clear}</ClearFilters>
    </Empty>
  );
}
