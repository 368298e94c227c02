import { useEffect, useState } from "react";

/** Below that what is read would be moved by what comes in above it. */
const SCROLLED_PX = 120;

interface Row {
  readonly id: string;
}

interface Held<R extends Row> {
  /** Of which list. */
  readonly list: string;
  readonly rows: readonly R[];
}

/**
 * The rows of a live list, newest first: they change where they stand. What is new comes in at the top while that is looked
 * at; else it is only counted, until it is asked for.
 */
export function useHeldRows<R extends Row>({
  list,
  isFirst,
  newest,
  shown,
}: {
  /** What tells this list and place from others. */
  list: string;
  /** Whether the first page is shown. */
  isFirst: boolean;
  /** The first page as it is now; undefined until it is there. */
  newest: readonly R[] | undefined;
  /** The page that is shown, as it is now. */
  shown: readonly R[];
}): { readonly rows: readonly R[]; readonly newCount: number } {
  const isScrolled = useIsScrolled();
  const [held, setHeld] = useState<Held<R> | null>(null);

  const isHolding = isScrolled || !isFirst;
  if (isHolding && newest !== undefined && held?.list !== list) setHeld({ list, rows: newest });
  if (!isHolding && held !== null) setHeld(null);

  const kept = isHolding && held?.list === list ? held.rows : null;
  return {
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

/** The same things in the same places, as they are now. */
function renewed<R extends Row>(kept: readonly R[], now: readonly R[]): readonly R[] {
  const byId = new Map(now.map((row) => [row.id, row]));
  return kept.map((row) => byId.get(row.id) ?? row);
}

/** How many stand above all that are known. */
function countNew(known: readonly Row[], now: readonly Row[]): number {
  const ids = new Set(known.map(({ id }) => id));
  const place = now.findIndex(({ id }) => ids.has(id));
  return place === -1 ? now.length : place;
}
