import { useEffect, useState } from "react";

interface Growing {
  readonly data: unknown;
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  fetchNextPage(): Promise<unknown>;
}

const FOUND_MS = 2_500;

/** The element of an entry. */
export const elementIdOf = (id: string) => `entry-${id}`;

/** Goes to an entry of the list. If it isn't loaded yet, earlier pages are loaded until it is. */
export function useJump(query: Growing): { readonly foundId: string | null; to(id: string): void } {
  const [wantedId, setWantedId] = useState<string | null>(null);
  const [foundId, setFoundId] = useState<string | null>(null);
  const { data, hasNextPage, isFetching, fetchNextPage } = query;
  useEffect(() => {
    if (wantedId === null) return;
    const element = document.getElementById(elementIdOf(wantedId));
    if (element !== null) {
      element.scrollIntoView({ block: "center" });
      element.focus({ preventScroll: true });
      setFoundId(wantedId);
      setWantedId(null);
    } else if (!hasNextPage) {
      setWantedId(null);
    } else if (!isFetching) {
      void fetchNextPage();
    }
  }, [wantedId, data, hasNextPage, isFetching, fetchNextPage]);
  useEffect(() => {
    if (foundId === null) return undefined;
    const timer = setTimeout(() => setFoundId(null), FOUND_MS);
    return () => clearTimeout(timer);
  }, [foundId]);
  return { foundId, to: setWantedId };
}
