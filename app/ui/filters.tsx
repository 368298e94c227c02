"use client";

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import dynamic from "next/dynamic";
import { type ReactNode, useId, useRef } from "react";
import styles from "./filters.module.css";
import { IconFilter } from "./icons";
import { Empty } from "./query-state";
import { useSavedFilters } from "./use-saved-filters";

/** Loaded only where filters are set or saved. */
const SavedFilters = dynamic(() => import("./saved-filters").then((module) => module.SavedFilters));

/**
 * The filters of a list, with a button that clears them. On a narrow screen, the filters except the search are behind
 * a button, which has their number.
 */
export function Filters({
  label,
  isFiltered,
  input,
  searchedAs,
  onClear,
  search,
  children,
}: {
  /** The name of what is listed. */
  label: string;
  isFiltered: boolean;
  /** The list's input, with a member for each filter that is set. */
  input: object;
  /** The member of the search field. */
  searchedAs?: string;
  onClear: () => void;
  /** The search field, which is always shown. */
  search?: ReactNode;
  children: ReactNode;
}) {
  const [saved] = useSavedFilters(label);
  const [isOpen, { toggle }] = useDisclosure(false);
  const filters = useRef<HTMLElement>(null);
  const id = useId();
  const activeCount = countOf(input, searchedAs);
  const clear = () => {
    // The button disappears, so the focus moves to the first filter that is shown.
    const fields = filters.current?.querySelectorAll<HTMLElement>("input, select") ?? [];
    [...fields].find((field) => field.checkVisibility())?.focus();
    onClear();
  };
  return (
    <search aria-label={label} ref={filters} className={styles.filters}>
      <div className={styles.first}>
        {search}
        <Button
          variant="default"
          className={styles.toggle}
          leftSection={<IconFilter size={16} aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={toggle}
        >
          Filters{activeCount === 0 ? "" : ` (${activeCount})`}
        </Button>
      </div>
      <div id={id} className={styles.more} data-open={isOpen || undefined}>
        {children}
        {isFiltered || saved.length > 0 ? <SavedFilters list={label} isFiltered={isFiltered} /> : null}
        {isFiltered ? (
          <Button variant="subtle" color="gray" onClick={clear}>
            Clear
          </Button>
        ) : null}
      </div>
    </search>
  );
}

/** Counts the filters that are set, except the search field. The start and the end of a time range count as one. */
function countOf(input: object, searchedAs: string | undefined): number {
  const names = Object.keys(input).filter((name) => name !== searchedAs);
  return new Set(names.map((name) => (name === "until" ? "since" : name))).size;
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
