"use client";

import { type KeyboardEvent, useEffect, useState } from "react";
import { idOf } from "./found-item";
import type { Found } from "./use-quick-search";

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Tracks which search result is active, by keyboard or mouse: the first one, until the user chooses. */
export function useActiveFound({
  all,
  isLoading,
  onGo,
}: {
  all: readonly Found[];
  /** True while results may still arrive. */
  isLoading: boolean;
  onGo: (found: Found) => void;
}) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [isEntered, setIsEntered] = useState(false);
  const active = all.find((found) => idOf(found) === chosen) ?? all[0];
  // Somebody who pastes an id and presses Enter wants the result that is about to arrive.
  const awaited = isEntered && !isLoading ? active : undefined;
  useEffect(() => {
    if (awaited !== undefined) onGo(awaited);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [awaited]);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const step = STEPS[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const at = active === undefined ? -1 : all.indexOf(active);
      const next = all[(at + step + all.length) % all.length];
      if (next !== undefined) setChosen(idOf(next));
    }
    if (event.key === "Enter") {
      event.preventDefault();
      if (active === undefined) setIsEntered(true);
      else onGo(active);
    }
  };
  return {
    active,
    choose: (found: Found) => setChosen(idOf(found)),
    /** Resets the choice for another text. @param entered whether Enter was pressed after it. */
    beginAnew: (entered = false) => {
      setChosen(null);
      setIsEntered(entered);
    },
    onKeyDown,
  };
}
