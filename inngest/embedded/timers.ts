/** Timers that are cleared together. */
export interface Timers {
  /**
   * Calls `act` once the time has come (Unix, milliseconds), never earlier. Calls it immediately if the time has
   * passed, and not at all after `clear`. Clock changes have no effect: otherwise, setting the clock back by an hour
   * would stop all jobs for an hour.
   */
  at(timeMs: number, act: () => void): void;
  clear(): void;
}

/** Longest delay of a Node timer: 24 days. */
const DELAY_MS_MAX = 2 ** 31 - 1;

export function createTimers(): Timers {
  const timers = new Set<NodeJS.Timeout>();
  let isCleared = false;

  function after(endsAtMs: number, act: () => void): void {
    if (isCleared) return;
    const delayMs = endsAtMs - performance.now();
    if (delayMs <= 0) return act();
    // Checks the clock again, because timers can also end a little early.
    const again = () => {
      timers.delete(timer);
      after(endsAtMs, act);
    };
    const timer = setTimeout(again, Math.min(delayMs, DELAY_MS_MAX));
    timers.add(timer);
  }

  return {
    at: (timeMs, act) => after(performance.now() + timeMs - Date.now(), act),
    clear() {
      isCleared = true;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
