import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTRPC } from "@/app/ui/trpc";
import type { SearchInput } from "./message-filter";
import type { MessageRow } from "./message-state";

/** While the page is visible; a page in the background asks nothing. */
const POLL_MS = 2_000;
/** Below that what is read would be moved by what comes in above it. */
const SCROLLED_PX = 120;

interface Held {
  /** Of which list. */
  readonly list: string;
  readonly rows: readonly MessageRow[];
}

/**
 * One page of messages, live: states change where they stand. What is new comes in at the top while that is looked at;
 * else it is only counted, until it is asked for.
 */
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
  const list = JSON.stringify([input, after]);
  const first = newest.isPlaceholderData ? undefined : newest.data?.data;
  const isScrolled = useIsScrolled();
  const [held, setHeld] = useState<Held | null>(null);

  const isHolding = isScrolled || after !== null;
  if (isHolding && first !== undefined && held?.list !== list) setHeld({ list, rows: first });
  if (!isHolding && held !== null) setHeld(null);

  const kept = isHolding && held?.list === list ? held.rows : null;
  const shown = query.data?.data ?? [];
  return {
    query,
    rows: kept !== null && after === null ? renewed(kept, shown) : shown,
    newCount: kept === null || first === undefined ? 0 : countNew(kept, first),
  };
}

function useIsScrolled(): boolean {
  const [isScrolled, setIsScrolled] = useState(false);
  useEffect(() => {
    const look = () => setIsScrolled(window.scrollY > SCROLLED_PX);
    look();
    window.addEventListener("scroll", look, { passive: true });
    return () => window.removeEventListener("scroll", look);
  }, []);
  return isScrolled;
}

/** The same messages in the same places, as they are now. */
function renewed(kept: readonly MessageRow[], now: readonly MessageRow[]): readonly MessageRow[] {
  const byId = new Map(now.map((row) => [row.id, row]));
  return kept.map((row) => byId.get(row.id) ?? row);
}

/** How many stand above all that are known. */
function countNew(known: readonly MessageRow[], now: readonly MessageRow[]): number {
  const ids = new Set(known.map(({ id }) => id));
  const place = now.findIndex(({ id }) => ids.has(id));
  return place === -1 ? now.length : place;
}
