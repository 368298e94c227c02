"use client";

import { Alert, Button } from "@mantine/core";
import { type ComponentProps, useEffect, useState } from "react";
import { Empty, QueryState } from "./query-state";
import { toApiError } from "./api-error";

/**
 * A list whose filters and position are in the URL. People keep, shorten and edit URLs: an invalid position shows the
 * first page, and an invalid filter shows how to clear it.
 */
export function ListState<T>({
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
        <Button size="xs" variant="default" mt="xs" onClick={onClear}>
          Clear filters
        </Button>
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
