"use client";

import { type RefObject, useEffect } from "react";
import { focusedLast, isFocusLost } from "./focus";

/** Dialogs take at most this long to restore the focus. */
const SETTLED_MS = 100;

/**
 * Moves the focus to the target if the focused element is removed, such as a notice whose button was pressed. Otherwise
 * keyboard users would start again at the top of the page.
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
