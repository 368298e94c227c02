import type { Logger } from "pino";
import { WaypostError } from "../errors";
import { withinTime } from "../time-limit";
import type { Bucket } from "./policies";

/** What a store grants. Times are Unix seconds by the store's clock. */
export interface Grant {
  readonly granted: number;
  readonly remaining: number;
  /** When a further unit can be had. */
  readonly freesAtSeconds: number;
  /** From now until then, rounded up, at least 1: one request after it succeeds. */
  readonly retryAfterSeconds: number;
  /** What `giveBack` needs to find the units again. */
  readonly takenSecond: number;
}

/** A shared sliding window per subject and bucket. PostgreSQL by default, Upstash or Redis beyond one machine. */
export interface LimiterStore {
  readonly name: string;
  /** Takes as many of `units` as are free, at most; never more than `limit` in 60 seconds where the store promises it. */
  take(subject: string, bucket: Bucket, limit: number, units: number): Promise<Grant>;
  giveBack(subject: string, bucket: Bucket, takenSecond: number, units: number): Promise<void>;
}

/** One caller's unit. `letThrough` when the store didn't answer: then there are no headers, and nothing to give back. */
export type Ticket =
  | { readonly kind: "granted"; readonly headers: RateHeaders; readonly giveBack: () => void }
  | { readonly kind: "letThrough" };

export type RateHeaders = Readonly<
  Record<"X-RateLimit-Limit" | "X-RateLimit-Remaining" | "X-RateLimit-Reset", string>
>;

export interface Limits {
  /**
   * Takes one unit.
   * @throws WaypostError `rate_limited` with `Retry-After` and the three headers of spec section 8.3.
   */
  take(subject: string, bucket: Bucket, limit: number): Promise<Ticket>;
  /** Requests let through because the store failed, since the start. */
  readonly failures: () => number;
}

interface Waiter {
  readonly limit: number;
  readonly resolve: (ticket: Ticket) => void;
  readonly reject: (error: unknown) => void;
}

/** Far longer than a wait for our own pool or row: one dead connection must not hold a key up for good. */
const TAKE_TIMEOUT_MS = 10_000;

/**
 * Concurrent takes of one subject become one statement, so that a hot key doesn't queue behind its own row.
 * When the store fails, requests go through, logged and counted (design section 6).
 */
export function createLimits(
  store: LimiterStore,
  log: Logger,
  { timeoutMs = TAKE_TIMEOUT_MS }: { timeoutMs?: number } = {},
): Limits {
  const lanes = new Map<string, Waiter[]>();
  let failures = 0;

  async function drain(lane: string, subject: string, bucket: Bucket): Promise<void> {
    for (;;) {
      const waiting = lanes.get(lane) ?? [];
      const limit = waiting[0]?.limit;
      if (limit === undefined) {
        lanes.delete(lane);
        return;
      }
      // Callers that read different limits of one key (it was changed meanwhile) are asked for apart.
      const batch = waiting.filter((waiter) => waiter.limit === limit);
      lanes.set(
        lane,
        waiting.filter((waiter) => waiter.limit !== limit),
      );
      const isAnswered = await serve(store, log, { subject, bucket, limit, batch, timeoutMs });
      if (!isAnswered) failures += batch.length;
    }
  }

  return {
    take(subject, bucket, limit) {
      return new Promise((resolve, reject) => {
        const lane = `${bucket}:${subject}`;
        const waiter = { limit, resolve, reject };
        const waiting = lanes.get(lane);
        if (waiting) {
          waiting.push(waiter);
          return;
        }
        lanes.set(lane, [waiter]);
        void drain(lane, subject, bucket);
      });
    },
    failures: () => failures,
  };
}

/** Takes a batch's units and tells each caller. @returns false when the store failed, and all were let through. */
async function serve(
  store: LimiterStore,
  log: Logger,
  asked: { subject: string; bucket: Bucket; limit: number; batch: readonly Waiter[]; timeoutMs: number },
): Promise<boolean> {
  const { subject, bucket, limit, batch, timeoutMs } = asked;
  const giveUnitsBack = ({ takenSecond }: Grant, units: number) => {
    store.giveBack(subject, bucket, takenSecond, units).catch((error: unknown) => {
      log.error({ err: error, store: store.name, bucket }, "a unit could not be given back");
    });
  };
  const taking = store.take(subject, bucket, limit, batch.length);
  let grant: Grant;
  try {
    grant = await withinTime(taking, timeoutMs);
  } catch (error) {
    // Those who waited are gone: what is granted to them after all is nobody's.
    taking.then(
      (late) => giveUnitsBack(late, late.granted),
      () => undefined,
    );
    const facts = { err: error, store: store.name, bucket, requests: batch.length };
    log.error(facts, "the limiter failed; requests are let through");
    for (const waiter of batch) waiter.resolve({ kind: "letThrough" });
    return false;
  }
  const giveBack = () => giveUnitsBack(grant, 1);
  batch.forEach((waiter, index) => {
    if (index >= grant.granted) return waiter.reject(refusal(limit, grant));
    const remaining = grant.remaining + grant.granted - index - 1;
    waiter.resolve({
      kind: "granted",
      headers: rateHeaders(limit, remaining, grant.freesAtSeconds),
      giveBack,
    });
  });
  return true;
}

function rateHeaders(limit: number, remaining: number, resetSeconds: number): RateHeaders {
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(resetSeconds),
  };
}

function refusal(limit: number, grant: Grant): WaypostError {
  return new WaypostError("rate_limited", {
    headers: {
      "Retry-After": String(grant.retryAfterSeconds),
      ...rateHeaders(limit, grant.remaining, grant.freesAtSeconds),
    },
    resendAfter: new Date(grant.freesAtSeconds * 1000),
  });
}
