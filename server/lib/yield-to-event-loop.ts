import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that nobody waits for holds up requests no longer than this. */
const TURN_MS = 10;

/** Returns a function to await within long work: from time to time it lets the event loop serve others. */
export function createYielder(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await nextTurn();
    since = performance.now();
  };
}
