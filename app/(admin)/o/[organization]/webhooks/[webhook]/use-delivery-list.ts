import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNow } from "@/app/ui/time";
import { momentsOf } from "@/app/ui/time-range";
import { useTRPC } from "@/app/ui/trpc";
import { useHeldRows } from "@/app/ui/use-held-rows";
import type { useDeliveryFilter } from "./delivery-filter";

/** Used while the page is visible. A page in the background doesn't poll. */
const POLL_MS = 3_000;
/** Each delivery includes all its attempts. */
const PAGE_LENGTH = "25";
/** A relative time range moves in steps of this length: each step is another query. */
const STEP_MS = 60_000;

/** One page of an endpoint's deliveries, live. */
export function useDeliveryList(id: string, { filter, input, after }: ReturnType<typeof useDeliveryFilter>) {
  const trpc = useTRPC();
  const now = Math.floor(useNow() / STEP_MS) * STEP_MS;
  const asked = { ...input, ...momentsOf(filter, now), id, limit: PAGE_LENGTH };
  const live = { refetchInterval: POLL_MS, placeholderData: keepPreviousData } as const;
  const newest = useQuery(trpc.webhooks.deliveries.queryOptions(asked, live));
  const older = useQuery(
    trpc.webhooks.deliveries.queryOptions(
      { ...asked, cursor: after ?? "" },
      { ...live, enabled: after !== null },
    ),
  );
  const query = after === null ? newest : older;
  const rows = useHeldRows({
    list: JSON.stringify([id, input, after]),
    isFirst: after === null,
    newest: newest.isPlaceholderData ? undefined : newest.data?.data,
    shown: query.data?.data ?? [],
  });
  return { query, ...rows };
}
