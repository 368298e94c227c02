"use client";

import { Alert, Button, Group } from "@mantine/core";
import { type ComponentProps, type ReactNode, useEffect, useState } from "react";
import { toApiError } from "./api-error";
import { ClearFilters } from "./filters";
import { Empty, QueryState } from "./query-state";
import type { useListFilter } from "./use-list-filter";

/** Links from a page to other pages of the list. */
interface Ways {
  /** The cursor of the next page; null on the last page. */
  readonly next: string | null;
  readonly first?: string;
  readonly further?: string;
  /** Shown beside the links. */
  readonly note?: ReactNode;
}

/**
 * A list that is read by cursor, one page at a time, with links to the first and the next page. The previous search's
 * result is dimmed until the new response arrives.
 */
export function ListPage<T>({
  query,
  place: { after, clear, goTo, toFirst },
  waysFrom,
  onFirst = () => goTo(null),
  children,
}: Pick<ComponentProps<typeof ListState<T>>, "children"> & {
  query: ComponentProps<typeof ListState<T>>["query"] & { readonly isPlaceholderData: boolean };
  /** The list's state in the URL. */
  place: Pick<ReturnType<typeof useListFilter>, "after" | "clear" | "goTo" | "toFirst">;
  waysFrom: (page: T) => Ways;
  onFirst?: () => void;
}) {
  const isStale = query.isPlaceholderData;
  return (
    <ListState query={query} after={after} onLost={toFirst} onClear={clear}>
      {(page) => {
        const { next, first = "Newest", further = "Older", note } = waysFrom(page);
        return (
          <div aria-busy={isStale} style={{ opacity: isStale ? 0.6 : 1 }}>
            {children(page)}
            <Group mt="md" gap="sm">
              {after === null ? null : (
                <Button variant="default" onClick={onFirst}>
                  {first}
                </Button>
              )}
              {next === null ? null : (
                <Button variant="default" onClick={() => goTo(next)}>
                  {further}
                </Button>
              )}
              {note}
            </Group>
          </div>
        );
      }}
    </ListState>
  );
}

/**
 * A list whose filters and position are in the URL. People keep, shorten and edit URLs: an invalid position shows the
 * first page, and an invalid filter shows how to clear it.
 */
function ListState<T>({
  query,
  after,
  onLost,
  onClear,
  children,
}: Pick<ComponentProps<typeof QueryState<T>>, "query" | "children"> & {
  /** The cursor that the page starts after; null for the first page. */
  after: string | null;
  /** Goes to the first page instead of this one. */
  onLost: () => void;
  onClear: () => void;
}) {
  const field = query.error ? toApiError(query.error).field : null;
  const isLost = after !== null && field === "cursor";
  const [wasLost, setWasLost] = useState(false);
  if (isLost && !wasLost) setWasLost(true);
  if (wasLost && !isLost && after !== null) setWasLost(false);
  useEffect(() => {
    if (isLost) onLost();
    // Once per URL.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isLost]);
  if (isLost) return null;
  if (field !== null && field !== "cursor" && query.data === undefined) {
    return (
      <Empty title="The filters in this URL don’t match anything here">
        <p>One of the filters doesn’t exist in this organization, or the URL was cut off or changed.</p>
        <ClearFilters onClear={onClear} />
      </Empty>
    );
  }
  return (
    <div>
      <output style={{ display: "block" }}>
        {wasLost ? (
          <Alert color="yellow" variant="light" mb="sm">
            That page of the list no longer exists. This is the first page.
          </Alert>
        ) : null}
      </output>
      <QueryState query={query}>{children}</QueryState>
    </div>
  );
}
