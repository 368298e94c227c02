"use client";

import { type QueryFilters, useQueryClient } from "@tanstack/react-query";

/**
 * Fetches the queries that the filters name again, after a change. A request under way is ignored: it may have been
 * answered before the change, and TanStack Query doesn't send a second one while it waits for a first answer.
 */
export function useRefetch(): (...filters: readonly QueryFilters[]) => Promise<void> {
  const client = useQueryClient();
  return async (...filters) => {
    await Promise.all(filters.map((filter) => client.cancelQueries(filter)));
    await Promise.all(filters.map((filter) => client.invalidateQueries(filter)));
  };
}
