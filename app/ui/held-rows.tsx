import { Button } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { IconArrowUp } from "./icons";

/** Further down, new rows above would move the content being read. */
const SCROLLED_PX = 120;

interface Row {
  readonly id: string;
}

/** A query for one page of the list. */
type Asked<R extends Row, P, E> = UseQueryResult<P & { readonly data: readonly R[] }, E>;

interface Held<R extends Row> {
  /** The list's identity. */
  readonly list: string;
  readonly rows: readonly R[];
}

/**
 * Holds the rows of a live list, newest first. Known rows are updated in place. New rows appear at the top only while
 * the top is in view; otherwise they are counted until the user asks for them.
 * @returns the shown page's query, its rows, and the number of new rows above them.
 */
export function useHeldRows<R extends Row, P, E>({
  list,
  isFirst,
  first,
  further,
}: {
  /** Identifies this list and position. */
  list: string;
  /** True if the first page is shown. */
  isFirst: boolean;
  /** The query for the first page. */
  first: Asked<R, P, E>;
  /** The query for the shown page, if it isn't the first one. */
  further: Asked<R, P, E>;
}): { readonly query: Asked<R, P, E>; readonly rows: readonly R[]; readonly newCount: number } {
  const query = isFirst ? first : further;
  const newest = first.isPlaceholderData ? undefined : first.data?.data;
  const shown = query.data?.data ?? [];
  const isScrolled = useIsScrolled();
  const [held, setHeld] = useState<Held<R> | null>(null);

  const isHolding = isScrolled || !isFirst;
  if (isHolding && newest !== undefined && held?.list !== list) setHeld({ list, rows: newest });
  if (!isHolding && held !== null) setHeld(null);

  const kept = isHolding && held?.list === list ? held.rows : null;
  return {
    query,
    rows: kept !== null && isFirst ? renewed(kept, shown) : shown,
    newCount: kept === null || newest === undefined ? 0 : countNew(kept, newest),
  };
}

function useIsScrolled(): boolean {
  const [isScrolled, setIsScrolled] = useState(false);
  useEffect(() => {
    const update = () => setIsScrolled(window.scrollY > SCROLLED_PX);
    update();
    window.addEventListener("scroll", update, { passive: true });
    return () => window.removeEventListener("scroll", update);
  }, []);
  return isScrolled;
}

/** Returns the same rows in the same order, with their current values. */
function renewed<R extends Row>(kept: readonly R[], now: readonly R[]): readonly R[] {
  const byId = new Map(now.map((row) => [row.id, row]));
  return kept.map((row) => byId.get(row.id) ?? row);
}

/** Counts the rows above all known rows. */
function countNew(known: readonly Row[], now: readonly Row[]): number {
  const ids = new Set(known.map(({ id }) => id));
  const place = now.findIndex(({ id }) => ids.has(id));
  return place === -1 ? now.length : place;
}

/** Shows the number of new items, if inserting them would move the content being read. */
export function News({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div
      aria-live="polite"
      style={{ position: "sticky", top: 64, zIndex: 2, textAlign: "center", height: 0 }}
    >
      {count === 0 ? null : (
        <Button
          size="compact-sm"
          radius="xl"
          leftSection={<IconArrowUp size={14} aria-hidden />}
          onClick={onShow}
        >
          {count} new
        </Button>
      )}
    </div>
  );
}
