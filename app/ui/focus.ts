"use client";

import { useEffect, useRef } from "react";

/** The last focused element: a disabled button has lost the focus by the time it is checked. */
let lastFocused: Element | null = null;
if (typeof document !== "undefined") {
  document.addEventListener("focusin", ({ target }) => {
    lastFocused = target instanceof Element ? target : null;
  });
}

export const focusedLast = (): Element | null => lastFocused;

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

/** A ref callback that focuses an element when it appears, for use when the previously focused element is gone. */
export const takeFocus = (element: HTMLElement | null) => element?.focus();
