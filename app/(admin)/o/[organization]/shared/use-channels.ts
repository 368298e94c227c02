import { useInfiniteQuery } from "@tanstack/react-query";
import type { inferOutput } from "@trpc/tanstack-react-query";
import { type Procedures, useTRPC } from "@/app/ui/trpc";
import { useAllPages } from "@/app/ui/use-all-pages";

export type Channel = inferOutput<Procedures["channels"]["list"]>["data"][number];

/** The maximum length of a page. */
const PAGE_LENGTH = "100";

/** Returns all channels of the organization, and the query that reads them. */
export function useChannels(options: { readonly staleTime?: number } = {}) {
  const query = useInfiniteQuery(
    useTRPC().channels.list.infiniteQueryOptions(
      { limit: PAGE_LENGTH },
      { ...options, getNextPageParam: ({ next_cursor: next }) => next },
    ),
  );
  return { query, channels: useAllPages(query) };
}
