import { type RefObject, useLayoutEffect, useRef } from "react";

/** Whoever is nearer to the end than this reads the newest. */
const AT_END_PX = 120;

interface Entry {
  readonly id: string;
}

/**
 * Keeps a list at its end while its newest entries are being read, and what is being read in its place while earlier
 * entries are added above.
 */
export function useScrolledDown(entries: readonly Entry[]): RefObject<HTMLElement | null> {
  const scroller = useRef<HTMLElement>(null);
  const seen = useRef({ firstId: "", height: 0, isAtEnd: true });
  const firstId = entries[0]?.id ?? "";
  const lastId = entries.at(-1)?.id ?? "";
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const { current: before } = seen;
    if (before.isAtEnd) element.scrollTop = element.scrollHeight;
    else if (before.firstId !== firstId && before.firstId !== "")
      element.scrollTop += element.scrollHeight - before.height;
    seen.current = { firstId, height: element.scrollHeight, isAtEnd: before.isAtEnd };
    const note = () => {
      const left = element.scrollHeight - element.scrollTop - element.clientHeight;
      seen.current = { firstId, height: element.scrollHeight, isAtEnd: left < AT_END_PX };
    };
    element.addEventListener("scroll", note, { passive: true });
    // The box below grows with what is typed into it.
    const observer = new ResizeObserver(() => {
      if (seen.current.isAtEnd) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", note);
      observer.disconnect();
    };
  }, [firstId, lastId, entries.length]);
  return scroller;
}
