import type { Logger } from "pino";
import { WaypostError } from "@/server/platform/errors";
import { isTimeLimitExceeded, withinTime } from "@/server/lib/time-limit";
import type { Bucket } from "./policies";
import { createStoreHealth, type StoreHealth } from "./store-health";

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
  readonly name: "postgres" | "upstash" | "redis";
  /** Where it is, for the operator: the variables that say so and the address, without user, password and token. */
  readonly place: string;
  /** Requests don't wait longer for an answer, and are let through. */
  readonly answerTimeoutMs: number;
  /** Takes as many of `units` as are free, at most; never more than `limit` in 60 seconds where the store promises it. */
  take(subject: string, bucket: Bucket, limit: number, units: number): Promise<Grant>;
  refund(subject: string, bucket: Bucket, takenSecond: number, units: number): Promise<void>;
}

/** One caller's unit. `letThrough` when the store didn't answer: then there are no headers, and nothing to give back. */
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
   * Takes a unit of a subject that nobody uses, to test the store, and waits longer for it than requests do. A
   * failure is logged. Never throws.
   */
  probe(): Promise<void>;
  /** Requests let through because the store failed, since the start. */
  readonly failures: () => number;
}

/** While the breaker is open. The log has the error that opened it. */
const BREAKER_OPEN = new Error("The limiter's store is silent");

interface Waiter {
  readonly limit: number;
  readonly resolve: (ticket: Ticket) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Concurrent takes of one subject become one take, so that a hot key doesn't queue behind its own row.
 * When the store fails, requests go through, logged and counted. When it is silent, none waits for it: it is
 * tried apart from them, once a second.
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
      // Callers that read different limits of one key (it was changed meanwhile) are asked for apart.
      const batch = waiting.filter((waiter) => waiter.limit === limit);
      const others = waiting.filter((waiter) => waiter.limit !== limit);
      lanes.set(lane, others);
      const askedAtMs = performance.now();
      try {
        await serve(store, health, { subject, bucket, limit, batch });
      } catch (error) {
        // Those who came meanwhile have waited for the same answer.
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
        // At the end of the turn: those of one batch before it ask together.
        setImmediate(() => void drain(lane, subject, bucket));
      });
    },
    probe: health.probe,
    failures: () => failures,
  };
}

/**
 * Takes a batch's units and tells each caller.
 * @throws what kept the store from answering; nobody was told anything then.
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
    // Those who waited are gone: what is granted to them after all is nobody's.
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

/** A unit that were given back twice would be somebody else's the second time. */
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
