import type { Logger } from "pino";
import type { Closers } from "./closers";
import { onSignals } from "./signals";

/** The whole of a stop, beside what it is given on top; afterwards the process ends whatever still runs. */
const STOP_MAX_MS = 30_000;

export interface GracefulStop {
  readonly isInProgress: () => boolean;
  /** Whether a person at a terminal asked for it (Ctrl-C), not a supervisor. */
  readonly isByHand: () => boolean;
  /** Lets a stop take so much longer. */
  lengthenBy(ms: number): void;
  /** Has the log tell the stop's beginning and end from now on. */
  logTo(log: Logger): void;
}

/** Ends the process in good order on SIGTERM and Ctrl-C: exit code 0. A later signal ends it at once. */
export function stopOnSignals(closers: Closers): GracefulStop {
  let signalled: NodeJS.Signals | null = null;
  let maxMs = STOP_MAX_MS;
  let log: Logger | null = null;
  const cutOff = (why: string) => {
    log?.warn(`${why}: the process ends, whatever still runs`);
    process.exit(1);
  };
  const stop = (signal: NodeJS.Signals) => {
    if (signalled !== null) cutOff("another signal came");
    signalled = signal;
    log?.info({ signal }, "Waypost stops");
    const beganAtMs = performance.now();
    setTimeout(() => cutOff("the stop took too long"), maxMs).unref();
    void closers.closeAll().then(() => {
      log?.info({ tookMs: Math.round(performance.now() - beganAtMs) }, "Waypost has stopped");
      process.stdout.write("Waypost has stopped.\n");
      process.exit(0);
    });
  };
  onSignals(["SIGTERM", "SIGINT"], stop);
  return {
    isInProgress: () => signalled !== null,
    isByHand: () => signalled === "SIGINT",
    lengthenBy: (ms) => void (maxMs += ms),
    logTo: (given) => void (log = given),
  };
}

/** Waits for `work`, but no longer than `maxMs`. */
export async function waitAtMost(maxMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, maxMs)));
  await Promise.race([work, late]);
  clearTimeout(timer);
}
