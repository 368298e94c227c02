import { setImmediate as nextTurn } from "node:timers/promises";

/** Longest time that background work may block requests. */
const TURN_MS = 10;

/** Returns a function to await within long work. From time to time it lets the event loop serve other work. */
export function createYielder(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await nextTurn();
    since = performance.now();
  };
}
