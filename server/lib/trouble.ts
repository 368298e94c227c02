import type { Logger } from "pino";

/** After so long without a failure, the next answer ends the trouble. */
const QUIET_MS = 5_000;

/** Tells that something fails once, and once that it works again, however often it fails meanwhile. */
export interface Trouble {
  /** @param count what is added up until it is over; 1 when not given. */
  failed(error: unknown, count?: number): void;
  answered(): void;
}

export interface TroubleWords {
  readonly level: "warn" | "error";
  readonly fails: string;
  readonly isOver: string;
  /** What is counted meanwhile, as a field's name. */
  readonly counted: string;
}

/** @param facts what it is: in both lines. */
export function createTrouble(
  log: Logger,
  { level, fails, isOver, counted }: TroubleWords,
  facts: Readonly<Record<string, string>>,
  now: () => number = () => performance.now(),
): Trouble {
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

/** One for each part of something. */
export function createTroubles(
  log: Logger,
  words: Omit<TroubleWords, "level" | "counted">,
  now?: () => number,
): (part: string) => Trouble {
  const troubles = new Map<string, Trouble>();
  return (part) => {
    const own =
      troubles.get(part) ?? createTrouble(log, { ...words, level: "warn", counted: "times" }, { part }, now);
    troubles.set(part, own);
    return own;
  };
}
