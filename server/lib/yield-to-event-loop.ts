import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that nobody waits for holds up requests no longer than this. */
const TURN_MS = 10;

/** To be awaited within long work: lets the event loop serve everyone else from time to time. */
export function createBreather(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await nextTurn();
    since = performance.now();
  };
}
