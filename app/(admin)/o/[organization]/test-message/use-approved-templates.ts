import { useInfiniteQuery } from "@tanstack/react-query";
import type { inferOutput } from "@trpc/tanstack-react-query";
import { type Procedures, useTRPC } from "@/app/ui/trpc";
import { useAllPages } from "@/app/ui/use-all-pages";

export type ApprovedTemplate = inferOutput<Procedures["templates"]["list"]>["data"][number];

/** The maximum length of a page. */
const PAGE_LENGTH = "100";

/** Returns all templates that a channel may send. */
export function useApprovedTemplates(channelId: string): readonly ApprovedTemplate[] {
  const query = useInfiniteQuery(
    useTRPC().templates.list.infiniteQueryOptions(
      { channel_id: channelId, state: "approved", limit: PAGE_LENGTH },
      { getNextPageParam: ({ next_cursor: next }) => next },
    ),
  );
  return useAllPages(query);
}
