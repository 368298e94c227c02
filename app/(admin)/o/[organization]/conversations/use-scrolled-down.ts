import { type RefObject, useLayoutEffect, useRef } from "react";

/** A reader who is nearer to the end than this follows the newest messages. */
const AT_END_PX = 120;

/**
 * Keeps a list at its end while its newest entries are being read, and what is being read in its place while earlier
 * entries are added above.
 */
export function useScrolledDown(entries: readonly { readonly id: string }[]): RefObject<HTMLElement | null> {
  const scroller = useRef<HTMLElement>(null);
  const seen = useRef({ firstId: "", height: 0, isAtEnd: true });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const firstId = entries[0]?.id ?? "";
    const { current: before } = seen;
    const isGrownAbove = before.firstId !== firstId && before.firstId !== "";
    if (before.isAtEnd) element.scrollTop = element.scrollHeight;
    else if (isGrownAbove) element.scrollTop += element.scrollHeight - before.height;
    seen.current = { firstId, height: element.scrollHeight, isAtEnd: before.isAtEnd };
    const note = () => {
      const left = element.scrollHeight - element.scrollTop - element.clientHeight;
      seen.current = { firstId, height: element.scrollHeight, isAtEnd: left < AT_END_PX };
    };
    element.addEventListener("scroll", note, { passive: true });
    // The box below grows with what is typed into it, and a picture once it is loaded.
    const observer = new ResizeObserver(() => {
      if (seen.current.isAtEnd) element.scrollTop = element.scrollHeight;
    });
    for (const one of [element, ...element.children]) observer.observe(one);
    return () => {
      element.removeEventListener("scroll", note);
      observer.disconnect();
    };
  }, [entries]);
  return scroller;
}
