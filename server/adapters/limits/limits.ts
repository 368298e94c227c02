import type { Logger } from "pino";
import { WaypostError } from "@/server/platform/errors";
import { isTimeLimitExceeded, withinTime } from "@/server/lib/time-limit";
import type { Bucket } from "./policies";
import { createStoreHealth, type StoreHealth } from "./store-health";

/** Units granted by a store. Times are Unix seconds by the store's clock. */
export interface Grant {
  readonly granted: number;
  readonly remaining: number;
  /** When a further unit becomes available. */
  readonly freesAtSeconds: number;
  /** Seconds from now until then, rounded up, at least 1. One request after it succeeds. */
  readonly retryAfterSeconds: number;
  /** Identifies the units for `giveBack`. */
  readonly takenSecond: number;
}

/** A shared sliding window per subject and bucket. PostgreSQL by default, Upstash or Redis for several machines. */
export interface LimiterStore {
  readonly name: "postgres" | "upstash" | "redis";
  /**
   * Its location, for the operator: the variables that configure it and the address, without user, password and token.
   */
  readonly place: string;
  /** Time limit of the store's response. After it, requests are let through. */
  readonly answerTimeoutMs: number;
  /** Takes up to `units` of the free units, and never more than `limit` in 60 seconds if the store guarantees that. */
  take(subject: string, bucket: Bucket, limit: number, units: number): Promise<Grant>;
  refund(subject: string, bucket: Bucket, takenSecond: number, units: number): Promise<void>;
}

/**
 * The unit of one caller. `letThrough` if the store didn't respond: there are no headers then, and no unit to give
 * back.
 */
export type Ticket =
  | { readonly kind: "granted"; readonly headers: RateHeaders; readonly refund: () => void }
  | { readonly kind: "letThrough" };

export type RateHeaders = Readonly<
  Record<"X-RateLimit-Limit" | "X-RateLimit-Remaining" | "X-RateLimit-Reset", string>
>;

export interface Limits {
  /**
   * Takes one unit.
   * @throws WaypostError `rate_limited` with `Retry-After` and the three headers `X-RateLimit-*`.
   */
  take(subject: string, bucket: Bucket, limit: number): Promise<Ticket>;
  /**
   * Takes a unit of a reserved subject to test the store, with a longer timeout than requests have. A failure is
   * logged. Never throws.
   */
  probe(): Promise<void>;
  /** Number of requests since the start that were let through because the store failed. */
  readonly failures: () => number;
}

/** Used while the breaker is open. The log has the error that opened it. */
const BREAKER_OPEN = new Error("The limiter's store is silent");

interface Waiter {
  readonly limit: number;
  readonly resolve: (ticket: Ticket) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Limits requests. Concurrent takes of one subject become one take, so that a hot key doesn't queue behind its own row.
 * When the store fails, requests are let through, logged and counted. When the store doesn't respond, no request waits
 * for it: it is tried separately, once a second.
 */
export function createLimits(store: LimiterStore, log: Logger): Limits {
  const lanes = new Map<string, Waiter[]>();
  const health = createStoreHealth(store, log);
  let failures = 0;

  function letThrough(waiting: readonly Waiter[], error: unknown, askedAtMs?: number): void {
    failures += waiting.length;
    health.failed(error, { requests: waiting.length, askedAtMs });
    for (const waiter of waiting) waiter.resolve({ kind: "letThrough" });
  }

  async function drain(lane: string, subject: string, bucket: Bucket): Promise<void> {
    for (;;) {
      const waiting = lanes.get(lane) ?? [];
      const limit = waiting[0]?.limit;
      if (limit === undefined) return void lanes.delete(lane);
      if (health.isSilent()) {
        letThrough(waiting.splice(0), BREAKER_OPEN);
        continue;
      }
      // Callers that read different limits of one key (the limit was changed in between) get separate takes.
      const batch = waiting.filter((waiter) => waiter.limit === limit);
      const others = waiting.filter((waiter) => waiter.limit !== limit);
      lanes.set(lane, others);
      const askedAtMs = performance.now();
      try {
        await serve(store, health, { subject, bucket, limit, batch });
      } catch (error) {
        // Callers that arrived in between waited for the same response.
        const behind = isTimeLimitExceeded(error) ? others.splice(0) : [];
        letThrough([...batch, ...behind], error, askedAtMs);
      }
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
        // At the end of the turn, so that the callers of the previous batch form one batch again.
        setImmediate(() => void drain(lane, subject, bucket));
      });
    },
    probe: health.probe,
    failures: () => failures,
  };
}

/**
 * Takes a batch's units and notifies each caller.
 * @throws the error of the store. No caller was notified then.
 */
async function serve(
  store: LimiterStore,
  health: StoreHealth,
  asked: { subject: string; bucket: Bucket; limit: number; batch: readonly Waiter[] },
): Promise<void> {
  const { subject, bucket, limit, batch } = asked;
  const refundUnits = ({ takenSecond }: Grant, units: number) => {
    store
      .refund(subject, bucket, takenSecond, units)
      .catch((error: unknown) => health.failed(error, { requests: 0 }));
  };
  const taking = store.take(subject, bucket, limit, batch.length);
  let grant: Grant;
  try {
    grant = await withinTime(taking, store.answerTimeoutMs);
    health.answered();
  } catch (error) {
    // The callers are gone, so units that are granted late are given back.
    taking.then(
      (late) => refundUnits(late, late.granted),
      () => undefined,
    );
    throw error;
  }
  batch.forEach((waiter, index) => {
    if (index >= grant.granted) return waiter.reject(rateLimitError(limit, grant));
    const remaining = grant.remaining + grant.granted - index - 1;
    waiter.resolve({
      kind: "granted",
      headers: rateHeaders(limit, remaining, grant.freesAtSeconds),
      refund: once(() => refundUnits(grant, 1)),
    });
  });
}

/** A unit that is given back twice would be another caller's the second time. */
function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

function rateHeaders(limit: number, remaining: number, resetSeconds: number): RateHeaders {
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(resetSeconds),
  };
}

function rateLimitError(limit: number, grant: Grant): WaypostError {
  return new WaypostError("rate_limited", {
    headers: {
      "Retry-After": String(grant.retryAfterSeconds),
      ...rateHeaders(limit, grant.remaining, grant.freesAtSeconds),
    },
    resendAfter: new Date(grant.freesAtSeconds * 1000),
  });
}
