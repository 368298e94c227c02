/** Timers that end together. */
export interface Timers {
  after(delayMs: number, act: () => void): void;
  clear(): void;
}

/** Longest wait that a timer of Node can hold. */
const DELAY_MS_MAX = 2 ** 31 - 1;

export function createTimers(): Timers {
  const timers = new Set<NodeJS.Timeout>();
  return {
    after(delayMs, act) {
      const timer = setTimeout(
        () => {
          timers.delete(timer);
          act();
        },
        Math.min(Math.max(delayMs, 0), DELAY_MS_MAX),
      );
      timers.add(timer);
    },
    clear() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
