/**
 * A terminal's Ctrl-C reaches both npm and its program, and npm forwards it to the program again: within this time,
 * even under load.
 */
const ECHO_MAX_MS = 1_000;

/**
 * Calls `handle` for each of these signals, but only once for several that arrive almost together. The signals no
 * longer end the process by default.
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
