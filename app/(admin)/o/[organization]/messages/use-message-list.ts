import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/app/ui/trpc";
import { useHeldRows } from "@/app/ui/held-rows";
import type { SearchInput } from "./message-filter";

/** Used while the page is visible. A page in the background doesn't poll. */
const POLL_MS = 2_000;

/** One page of messages, live. */
export function useMessageList(input: SearchInput, after: string | null) {
  const trpc = useTRPC();
  const live = { refetchInterval: POLL_MS, placeholderData: keepPreviousData } as const;
  const newest = useQuery(trpc.messages.search.queryOptions(input, live));
  const older = useQuery(
    trpc.messages.search.queryOptions(
      { ...input, cursor: after ?? "" },
      { ...live, enabled: after !== null },
    ),
  );
  const query = after === null ? newest : older;
  const rows = useHeldRows({
    list: JSON.stringify([input, after]),
    isFirst: after === null,
    newest: newest.isPlaceholderData ? undefined : newest.data?.data,
    shown: query.data?.data ?? [],
  });
  return { query, ...rows };
}
