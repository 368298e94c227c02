/** The way to a page of a list. */
export interface PagePlace {
  /** The cursor of the page before; null for the first page. */
  readonly before: string | null;
  /** The number of its first row in the list, from 1. */
  readonly start: number;
}

type Store = Pick<Storage, "getItem" | "setItem">;

const keyOf = (list: string, cursor: string) => `waypost-page:${list}:${cursor}`;

/** Remembers, for this browser tab, how a page was reached. @param list identifies the list with its filters. */
export function rememberPlace(store: Store | null, list: string, cursor: string, place: PagePlace): void {
  try {
    store?.setItem(keyOf(list, cursor), JSON.stringify(place));
  } catch {
    // The storage is full or forbidden. The list then only has the way to its first page.
  }
}

/** Returns how a page was reached; null if this tab doesn't know, for example because the URL was sent by somebody. */
export function placeOf(store: Store | null, list: string, cursor: string | null): PagePlace | null {
  if (cursor === null) return { before: null, start: 1 };
  try {
    const place: unknown = JSON.parse(store?.getItem(keyOf(list, cursor)) ?? "null");
    return isPlace(place) ? place : null;
  } catch {
    return null;
  }
}

function isPlace(value: unknown): value is PagePlace {
  if (typeof value !== "object" || value === null || !("before" in value) || !("start" in value))
    return false;
  return (value.before === null || typeof value.before === "string") && typeof value.start === "number";
}

/** Returns the tab's storage; null on the server and where the browser forbids it. */
export function tabStorage(): Store | null {
  try {
    return typeof window === "undefined" ? null : window.sessionStorage;
  } catch {
    return null;
  }
}
