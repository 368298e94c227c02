"use client";

import { useEffect, useRef } from "react";

/** Where the focus was last: a button that is disabled has lost it by the time that anybody asks. */
let lastFocused: Element | null = null;
if (typeof document !== "undefined") {
  document.addEventListener("focusin", ({ target }) => {
    lastFocused = target instanceof Element ? target : null;
  });
}

export const focusedLast = (): Element | null => lastFocused;

/**
 * Keeps the focus where somebody works while something they have asked for is under way: the browser takes it from a button
 * that is disabled meanwhile. Where it was refused, the focus goes to the field at fault, which brings it into view.
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
 * Gives the focus back to an element that is still on the page, unless another element had it since. An element that is
 * gone was replaced within its dialog, which gets the focus instead.
 */
function backTo(from: Element): void {
  if (from.isConnected && from !== lastFocused) return;
  const to = from.isConnected ? from : document.querySelector("[aria-modal=true]");
  if (to instanceof HTMLElement) to.focus();
}
