import type { Logger } from "pino";

/** After so long without a failure, the next answer ends the trouble. */
const QUIET_MS = 5_000;

/** Tells that the limiter's store fails once, and once that it answers again, however many requests fail meanwhile. */
export interface Trouble {
  /** @param requests how many were let through for it. */
  failed(error: unknown, requests: number): void;
  answered(): void;
}

export function createTrouble(log: Logger, store: string, now = () => performance.now()): Trouble {
  let open: { readonly sinceMs: number; lastMs: number; requests: number } | null = null;
  return {
    failed(error, requests) {
      const nowMs = now();
      if (open === null) {
        open = { sinceMs: nowMs, lastMs: nowMs, requests: 0 };
        log.error({ err: error, store }, "the limiter's store fails; requests are let through meanwhile");
      }
      open.lastMs = nowMs;
      open.requests += requests;
    },
    answered() {
      if (open === null || now() - open.lastMs < QUIET_MS) return;
      const facts = { store, failedForMs: Math.round(open.lastMs - open.sinceMs), letThrough: open.requests };
      open = null;
      log.info(facts, "the limiter's store answers again");
    },
  };
}
