import type { Logger } from "pino";
import { isTimeLimitExceeded, withinTime } from "@/server/lib/time-limit";
import { createOutageLog, type OutageLogWords } from "@/server/lib/outage-log";
import type { LimiterStore } from "./limits";
import { createCircuitBreaker } from "./circuit-breaker";
import { LIMIT_MAX } from "./policies";

/** A subject that no key has. */
export const NOBODY = "00000000-0000-0000-0000-000000000000";

/** The health of a store, based on its responses. Changes are logged. */
export interface StoreHealth {
  answered(): void;
  /**
   * @param failure.requests number of requests that are let through because of it; `askedAtMs`: by `performance.now()`.
   */
  failed(
    error: unknown,
    failure: { readonly requests: number; readonly askedAtMs?: number | undefined },
  ): void;
  /**
   * Returns true if no request should wait for the store. While that is the case, a call of this function tries the
   * store separately, once a second.
   */
  isSilent(): boolean;
  /** See `Limits.probe`. */
  probe(): Promise<void>;
}

const STORE_OUTAGE: OutageLogWords = {
  level: "error",
  fails: "the limiter's store fails; requests are let through meanwhile",
  isOver: "the limiter's store answers again",
  counted: "letThrough",
};
/** Longer than a store's connection takes to fail with its own error message. */
const PROBE_MS_MAX = 3_000;

export function createStoreHealth(store: LimiterStore, log: Logger): StoreHealth {
  const outageLog = createOutageLog(log, STORE_OUTAGE, { store: store.name, place: store.place });
  const breaker = createCircuitBreaker();

  function answered(): void {
    breaker.answered();
    outageLog.answered();
  }

  async function probe(maxMs: number): Promise<void> {
    try {
      await withinTime(tryStore(store), maxMs);
      answered();
    } catch (error) {
      outageLog.failed(error, 0);
    }
  }

  return {
    answered,
    failed(error, { requests, askedAtMs }) {
      outageLog.failed(error, requests);
      if (askedAtMs !== undefined && isTimeLimitExceeded(error)) breaker.timedOut(askedAtMs);
    },
    isSilent() {
      if (breaker.isProbeDue()) void probe(store.answerTimeoutMs);
      return breaker.isOpen();
    },
    probe: () => probe(Math.max(PROBE_MS_MAX, store.answerTimeoutMs)),
  };
}

/**
 * Takes a unit of the reserved subject, and gives it back.
 * @throws the store's error, and an error if the store grants none.
 */
export async function tryStore(store: LimiterStore): Promise<void> {
  const { granted, takenSecond } = await store.take(NOBODY, "read", LIMIT_MAX, 1);
  if (granted !== 1) throw new Error("no unit was granted");
  await store.refund(NOBODY, "read", takenSecond, 1);
}
