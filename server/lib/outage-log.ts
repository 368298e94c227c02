import type { Logger } from "pino";

/** After this time without a failure, the next success ends the outage. */
const QUIET_MS = 5_000;

/** Logs the start and the end of an outage once, however many failures there are in between. */
export interface OutageLog {
  /** @param count number to add to the outage's total. Defaults to 1. */
  failed(error: unknown, count?: number): void;
  answered(): void;
}

export interface OutageLogWords {
  readonly level: "warn" | "error";
  readonly fails: string;
  readonly isOver: string;
  /** Field name of the total. */
  readonly counted: string;
}

/** @param facts fields of both log lines. */
export function createOutageLog(
  log: Logger,
  { level, fails, isOver, counted }: OutageLogWords,
  facts: Readonly<Record<string, string>>,
  now: () => number = () => performance.now(),
): OutageLog {
  let open: { readonly sinceMs: number; lastMs: number; count: number } | null = null;
  return {
    failed(error, count = 1) {
      const nowMs = now();
      if (open === null) {
        open = { sinceMs: nowMs, lastMs: nowMs, count: 0 };
        log[level]({ err: error, ...facts }, fails);
      }
      open.lastMs = nowMs;
      open.count += count;
    },
    answered() {
      if (open === null || now() - open.lastMs < QUIET_MS) return;
      const failedForMs = Math.round(open.lastMs - open.sinceMs);
      log.info({ ...facts, failedForMs, [counted]: open.count }, isOver);
      open = null;
    },
  };
}

/** Creates one outage log for each part. */
export function createOutageLogs(
  log: Logger,
  words: Omit<OutageLogWords, "level" | "counted">,
  now?: () => number,
): (part: string) => OutageLog {
  const outageLogs = new Map<string, OutageLog>();
  return (part) => {
    const own =
      outageLogs.get(part) ??
      createOutageLog(log, { ...words, level: "warn", counted: "times" }, { part }, now);
    outageLogs.set(part, own);
    return own;
  };
}
