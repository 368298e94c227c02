import type { Closers } from "../closers";

/** The whole of a stop; afterwards the process ends whatever still runs. */
const STOP_MAX_MS = 30_000;

export interface Stop {
  readonly isUnderWay: () => boolean;
}

/** Ends the process in good order on SIGTERM and Ctrl-C: exit code 0. A second signal ends it at once. */
export function stopOnSignals(closers: Closers): Stop {
  let isUnderWay = false;
  const stop = () => {
    if (isUnderWay) process.exit(1);
    isUnderWay = true;
    setTimeout(() => process.exit(1), STOP_MAX_MS).unref();
    void closers.closeAll().then(() => {
      process.stdout.write("Waypost has stopped.\n");
      process.exit(0);
    });
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  return { isUnderWay: () => isUnderWay };
}

/** Waits for `work`, but no longer than `maxMs`. */
export async function atMost(maxMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, maxMs)));
  await Promise.race([work, late]);
  clearTimeout(timer);
}
