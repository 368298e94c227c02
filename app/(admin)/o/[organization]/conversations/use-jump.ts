import { notifications } from "@mantine/notifications";
import { useEffect, useRef, useState } from "react";

interface Growing {
  readonly hasNextPage: boolean;
  fetchNextPage(): Promise<{ readonly hasNextPage: boolean; readonly isError: boolean }>;
}

const FOUND_MS = 2_500;

/** The element of an entry. */
export const elementIdOf = (id: string) => `entry-${id}`;

const nextFrame = () => new Promise((drawn) => requestAnimationFrame(drawn));

/**
 * Goes to an entry of the list. If it isn't loaded yet, earlier pages are loaded until it is, or until another entry is
 * asked for or the list is left.
 */
export function useJump(query: Growing): { readonly foundId: string | null; to(id: string): void } {
  const [foundId, setFoundId] = useState<string | null>(null);
  const aborter = useRef<AbortController | null>(null);
  useEffect(() => () => aborter.current?.abort(), []);
  useEffect(() => {
    if (foundId === null) return undefined;
    const timer = setTimeout(() => setFoundId(null), FOUND_MS);
    return () => clearTimeout(timer);
  }, [foundId]);
  const to = async (id: string) => {
    aborter.current?.abort();
    const { signal } = (aborter.current = new AbortController());
    const element = await findElement(id, query, signal);
    if (signal.aborted) return;
    if (element === null) {
      notifications.show({ color: "red", message: "The message couldn’t be loaded. Try again." });
      return;
    }
    element.scrollIntoView({ block: "center" });
    element.focus({ preventScroll: true });
    setFoundId(id);
  };
  return { foundId, to: (id) => void to(id) };
}

async function findElement(
  id: string,
  { hasNextPage, fetchNextPage }: Growing,
  signal: AbortSignal,
): Promise<HTMLElement | null> {
  let isMore = hasNextPage;
  for (;;) {
    const element = document.getElementById(elementIdOf(id));
    if (element !== null || signal.aborted) return element;
    if (!isMore) return drawnElement(id, signal);
    const { hasNextPage: isStillMore, isError } = await fetchNextPage();
    if (isError) return null;
    isMore = isStillMore;
    await nextFrame();
  }
}

const FRAMES_MAX = 60;

/** A busy page draws what it has loaded only some frames later. */
async function drawnElement(id: string, signal: AbortSignal): Promise<HTMLElement | null> {
  for (let frame = 0; frame < FRAMES_MAX && !signal.aborted; frame++) {
    const element = document.getElementById(elementIdOf(id));
    if (element !== null) return element;
    await nextFrame();
  }
  return null;
}
