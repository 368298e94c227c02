import { type RefObject, useLayoutEffect, useRef } from "react";

/** A reader who is nearer to the end than this follows the newest messages. */
const AT_END_PX = 120;

interface Place {
  readonly isAtEnd: boolean;
  /** The first entry that is in sight, and its offset in the list. */
  readonly first: HTMLElement | null;
  readonly offset: number;
}

/**
 * Keeps a list at its end while its newest entries are being read, and otherwise what is being read in its place, while
 * entries are added and files are loaded above or below. The list is the content of the scroller's only child.
 */
export function useScrolledDown(): RefObject<HTMLElement | null> {
  const scroller = useRef<HTMLElement>(null);
  const place = useRef<Place>({ isAtEnd: true, first: null, offset: 0 });
  // Entries can come and go without a change of the list's height.
  useLayoutEffect(() => {
    if (scroller.current !== null) place.current = held(scroller.current, place.current);
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const note = () => (place.current = placeIn(element));
    element.addEventListener("scroll", note, { passive: true });
    // The box below grows with what is typed into it, and a picture once it is loaded.
    const observer = new ResizeObserver(() => (place.current = held(element, place.current)));
    for (const one of [element, ...element.children]) observer.observe(one);
    return () => {
      element.removeEventListener("scroll", note);
      observer.disconnect();
    };
  }, []);
  return scroller;
}

/** Scrolls to where the reader was, and returns the place there. */
function held(element: HTMLElement, { isAtEnd, first, offset }: Place): Place {
  if (isAtEnd) element.scrollTop = element.scrollHeight;
  else if (first?.isConnected) element.scrollTop += first.offsetTop - offset;
  return { ...placeIn(element), isAtEnd };
}

function placeIn(element: HTMLElement): Place {
  const { scrollTop, scrollHeight, clientHeight } = element;
  const all = [...element.querySelectorAll<HTMLElement>("ol > li[id]")];
  const first = all.find(({ offsetTop, offsetHeight }) => offsetTop + offsetHeight > scrollTop) ?? null;
  return {
    isAtEnd: scrollHeight - scrollTop - clientHeight < AT_END_PX,
    first,
    offset: first?.offsetTop ?? 0,
  };
}
