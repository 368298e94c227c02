/** npm, told by a terminal's Ctrl-C as its program is, passes it on to the program once more: within this, if busy. */
const ECHO_MAX_MS = 1_000;

/**
 * Calls `handle` for each of these signals, but once for several that come almost together. The process no longer ends
 * by itself on them.
 */
export function onSignals(
  signals: readonly NodeJS.Signals[],
  handle: (signal: NodeJS.Signals) => void,
  now: () => number = () => performance.now(),
): void {
  let handledAtMs = Number.NEGATIVE_INFINITY;
  for (const name of signals) {
    process.on(name, (signal) => {
      if (now() - handledAtMs < ECHO_MAX_MS) return;
      handledAtMs = now();
      handle(signal);
    });
  }
}
