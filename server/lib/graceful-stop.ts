import type { Logger } from "pino";
import type { Closers } from "./closers";
import { onSignals } from "./signals";

/** Maximum duration of a stop, without extensions. After it, the process ends whatever is still running. */
const STOP_MAX_MS = 30_000;

export interface GracefulStop {
  readonly isInProgress: () => boolean;
  /** Returns true if a person at a terminal asked for the stop (Ctrl-C), not a supervisor. */
  readonly isByHand: () => boolean;
  /** Extends the maximum duration of a stop. */
  lengthenBy(ms: number): void;
  /** Logs the beginning and the end of a stop from now on. */
  logTo(log: Logger): void;
}

/** Stops the process gracefully on SIGTERM and Ctrl-C, with exit code 0. A second signal ends it immediately. */
export function stopOnSignals(closers: Closers): GracefulStop {
  let signalled: NodeJS.Signals | null = null;
  let maxMs = STOP_MAX_MS;
  let log: Logger | null = null;
  const cutOff = (why: string) => {
    log?.warn(`${why}: exiting with work in progress`);
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

/** Waits for `work`, but at most `maxMs`. */
export async function waitAtMost(maxMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, maxMs)));
  await Promise.race([work, late]);
  clearTimeout(timer);
}
