"use client";

import { type QueryFilters, useQueryClient } from "@tanstack/react-query";

/**
 * Has what the filters name asked for anew, after a change. What is on its way counts for nothing: it may have been answered
 * before the change, and TanStack Query doesn't ask a second time while it waits for a first answer.
 */
export function useAskAnew(): (...filters: readonly QueryFilters[]) => Promise<void> {
  const client = useQueryClient();
  return async (...filters) => {
    await Promise.all(filters.map((filter) => client.cancelQueries(filter)));
    await Promise.all(filters.map((filter) => client.invalidateQueries(filter)));
  };
}
