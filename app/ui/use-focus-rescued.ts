"use client";

import { type RefObject, useEffect } from "react";
import { focusedLast, isFocusLost } from "./use-focus-kept";

/** Dialogs take so long at most to give the focus back. */
const SETTLED_MS = 100;

/**
 * Where what had the focus is taken off the page, such as a notice whose button was pressed, the focus goes to the target:
 * else whoever works by keyboard begins again at the top.
 */
export function useFocusRescued(target: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const before = focusedLast();
    const rescue = () => {
      const last = focusedLast();
      if (last === null || last === before || last.isConnected || !isFocusLost()) return;
      if (document.querySelector("[aria-modal=true]") === null)
        target.current?.focus({ preventScroll: true });
    };
    let timer: number | undefined;
    const observer = new MutationObserver(() => {
      window.clearTimeout(timer);
      if (isFocusLost()) timer = window.setTimeout(rescue, SETTLED_MS);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      window.clearTimeout(timer);
    };
  }, [target]);
}
