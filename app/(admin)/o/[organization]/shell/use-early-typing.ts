"use client";

import { useEffect, useRef } from "react";

/** Keys typed before the field existed. */
export interface EarlyTyping {
  readonly text: string;
  readonly isEntered: boolean;
}

const NOTHING: EarlyTyping = { text: "", isEntered: false };

/**
 * Collects what the user types between requesting a field and its appearance, so that no letter is lost or reaches the
 * page behind. Escape cancels the request.
 * @returns the text typed so far, once. From then on keys go to the focused element.
 */
export function useEarlyTyping(isAwaited: boolean, giveUp: () => void): () => EarlyTyping {
  const typed = useRef(NOTHING);
  const isTaken = useRef(false);
  const latestGiveUp = useRef(giveUp);
  useEffect(() => {
    latestGiveUp.current = giveUp;
  });
  useEffect(() => {
    if (!isAwaited) return undefined;
    const keep = (event: KeyboardEvent) => {
      if (isTaken.current || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "Escape") latestGiveUp.current();
      else typed.current = after(typed.current, event.key);
    };
    window.addEventListener("keydown", keep, { capture: true });
    return () => {
      window.removeEventListener("keydown", keep, { capture: true });
      typed.current = NOTHING;
      isTaken.current = false;
    };
  }, [isAwaited]);
  return () => {
    isTaken.current = true;
    return typed.current;
  };
}

function after({ text, isEntered }: EarlyTyping, key: string): EarlyTyping {
  if (key === "Enter") return { text, isEntered: text !== "" };
  if (key === "Backspace") return { text: text.slice(0, -1), isEntered: false };
  return key.length === 1 ? { text: text + key, isEntered: false } : { text, isEntered };
}
