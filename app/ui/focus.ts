"use client";

import { type RefObject, useEffect, useRef } from "react";

/** The last focused element: a disabled button has lost the focus by the time it is checked. */
let lastFocused: Element | null = null;
if (typeof document !== "undefined") {
  document.addEventListener("focusin", ({ target }) => {
    lastFocused = target instanceof Element ? target : null;
  });
}

/**
 * Keeps the focus in place while an action runs: the browser removes it from a button that is disabled. After an error,
 * the focus goes to the field at fault, which scrolls it into view.
 */
export function useFocusKept(isBusy: boolean, error: unknown): void {
  const origin = useRef<Element | null>(null);
  useEffect(() => {
    if (isBusy) origin.current = lastFocused;
    const from = origin.current;
    if (isBusy || from === null) return;
    origin.current = null;
    const place = from.isConnected ? from.closest("form, [aria-modal=true]") : null;
    const fault = error === null ? null : place?.querySelector("[aria-invalid=true], [role=alert]");
    if (fault instanceof HTMLElement) bringTo(fault);
    else if (isFocusLost()) backTo(from);
  }, [isBusy, error]);
}

export const isFocusLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;

function bringTo(fault: HTMLElement): void {
  if (fault.matches("[role=alert]")) {
    fault.scrollIntoView({ block: "nearest" });
    fault.tabIndex = -1;
  }
  fault.focus();
}

/**
 * Returns the focus to an element that is still on the page, unless another element has taken it. If the element is
 * gone, its dialog replaced it and gets the focus instead.
 */
function backTo(from: Element): void {
  if (from.isConnected && from !== lastFocused) return;
  const to = from.isConnected ? from : document.querySelector("[aria-modal=true]");
  if (to instanceof HTMLElement) to.focus();
}

/** Dialogs take at most this long to restore the focus. */
const SETTLED_MS = 100;

/**
 * Moves the focus to the target if the focused element is removed, such as a notice whose button was pressed. Otherwise
 * keyboard users would start again at the top of the page.
 */
export function useFocusRescued(target: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const before = lastFocused;
    const rescue = () => {
      const last = lastFocused;
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

/** A ref callback that focuses an element when it appears, for use when the previously focused element is gone. */
export const takeFocus = (element: HTMLElement | null) => element?.focus();
