"use client";

import { type QueryFilters, useQueryClient } from "@tanstack/react-query";

/**
 * Returns a function that refetches the queries matching the filters after a change. It cancels a running request,
 * because that may have been answered before the change, and TanStack Query sends no second one while it waits for a
 * first response.
 */
export function useRefetch(): (...filters: readonly QueryFilters[]) => Promise<void> {
  const client = useQueryClient();
  return async (...filters) => {
    await Promise.all(filters.map((filter) => client.cancelQueries(filter)));
    await Promise.all(filters.map((filter) => client.invalidateQueries(filter)));
  };
}
