import { Ratelimit } from "@upstash/ratelimit";
import { Redis, type Requester } from "@upstash/redis";
import type { Grant, LimiterStore } from "./limits";
import type { Bucket } from "./policies";
import { LINK_TIMEOUT_MS, LinkError, type RedisCommand, type RedisLink } from "./redis-link";

const PREFIX = "waypost:rate";
const WINDOW_MS = 60_000;
/** Maximum number of concurrent unit calls. After a refusal, no more are made. */
const UNITS_AT_ONCE_MAX = 100;
/** A limit that is never reached. The remaining units show how many were used. */
const BEYOND_REACH = 2 ** 40;
const NO_ANSWER_OF_ITS_OWN = "What came back is no answer of the limiter's script";

/**
 * Creates the sliding window of `@upstash/ratelimit` in a Redis: two buckets of 60 seconds, of which the previous one
 * weighs less with every second. It is an approximation: around a bucket's boundary it can allow nearly twice the limit
 * in 60 seconds. Each process uses its own clock, so clocks must agree to within a second. Keys begin with
 * `waypost:rate:` and expire after two minutes.
 *
 * Each unit is a separate call of the library, and the calls are sent together. A refused call for several units would
 * count; a refused call for one doesn't.
 */
export function createSlidingWindowStore(link: RedisLink): LimiterStore {
  const redis = new Redis(asRequester(link));
  const limiterOf = (limit: number) =>
    new Ratelimit({
      redis,
      limiter: Ratelimit.slidingWindow(limit, `${WINDOW_MS} ms`),
      prefix: PREFIX,
      // A cache would refuse without a request, even after units were given back or the limit was raised.
      ephemeralCache: false,
      // The library's timeout would let requests through silently, and lose units that are granted late. `createLimits`
      // limits the time.
      timeout: 0,
      enableTelemetry: false,
    });

  async function refund(subject: string, bucket: Bucket, takenSecond: number, units: number): Promise<void> {
    // Units of a past bucket weigh less with every second. If they were given back to this bucket, they would free
    // other callers' units.
    if (units < 1 || bucketOf(takenSecond * 1000) !== bucketOf(Date.now())) return;
    try {
      await limiterOf(BEYOND_REACH).limit(`${bucket}:${subject}`, { rate: -units });
    } catch (error) {
      throw asLinkError(error);
    }
  }

  return {
    name: link.name,
    place: link.place,
    answerTimeoutMs: LINK_TIMEOUT_MS,
    async take(subject, bucket, limit, units) {
      const identifier = `${bucket}:${subject}`;
      const takenSecond = Math.floor(Date.now() / 1000);
      const { granted, remaining, failure } = await takeUnits(limiterOf(limit), identifier, { limit, units });
      try {
        if (failure !== null) throw asLinkError(failure);
        const used = granted < units ? await usedOf(limiterOf(BEYOND_REACH), identifier) : limit - remaining;
        return { granted, takenSecond, ...outlook(limit, used) };
      } catch (error) {
        refund(subject, bucket, takenSecond, granted).catch(() => undefined);
        throw asLinkError(error);
      }
    },
    refund,
  };
}

interface TakeResult {
  readonly granted: number;
  /** Remaining units afterwards. 0 if none was granted. */
  readonly remaining: number;
  /** The error of calls that got no reply. */
  readonly failure: unknown;
}

/** Makes one call for each unit, until one is refused or fails. */
async function takeUnits(
  limiter: Ratelimit,
  identifier: string,
  { limit, units }: { limit: number; units: number },
): Promise<TakeResult> {
  let granted = 0;
  let remaining = limit;
  while (granted < units) {
    const asked = Math.min(units - granted, UNITS_AT_ONCE_MAX);
    const calls = Array.from({ length: asked }, async () => vetted(await limiter.limit(identifier), limit));
    const answers = await Promise.allSettled(calls);
    const taken = answers.flatMap((one) =>
      one.status === "fulfilled" && one.value.success ? [one.value.remaining] : [],
    );
    granted += taken.length;
    remaining = Math.min(remaining, ...taken);
    const failed = answers.find((one) => one.status === "rejected");
    if (failed) return { granted, remaining, failure: failed.reason };
    if (taken.length < asked) break;
  }
  return { granted, remaining, failure: null };
}

async function usedOf(limiterBeyondReach: Ratelimit, identifier: string): Promise<number> {
  const answer = vetted(await limiterBeyondReach.getRemaining(identifier), BEYOND_REACH);
  return BEYOND_REACH - answer.remaining;
}

/** @throws LinkError for a result that the library derived from an unexpected reply. */
function vetted<T extends { limit: number; remaining: number }>(answer: T, limit: number): T {
  const { remaining } = answer;
  if (answer.limit === limit && Number.isSafeInteger(remaining) && remaining <= limit) return answer;
  throw new LinkError(NO_ANSWER_OF_ITS_OWN);
}

/** The library throws Redis's errors as an `UpstashError`, and fails on a reply that isn't a list. */
function asLinkError(error: unknown): LinkError {
  if (error instanceof LinkError) return error;
  const isRedisError = error instanceof Error && error.name === "UpstashError";
  return new LinkError(isRedisError ? `Redis refused: ${error.message}` : NO_ANSWER_OF_ITS_OWN);
}

/**
 * Returns the remaining units, and when a further unit is certainly available. That is when the next bucket has begun
 * and, if more units than the limit are used (because the limit was lowered), is old enough that the present one weighs
 * less than the limit. The library's `reset` is the boundary itself, when the present bucket still has its full weight.
 */
function outlook(limit: number, used: number): Omit<Grant, "granted" | "takenSecond"> {
  const nowMs = Date.now();
  const edgeMs = (bucketOf(nowMs) + 1) * WINDOW_MS;
  const decayMs = used > limit ? WINDOW_MS * (1 - limit / used) : 0;
  const freesAtSeconds = Math.ceil((edgeMs + decayMs) / 1000) + 1;
  return {
    remaining: Math.max(0, limit - used),
    freesAtSeconds,
    retryAfterSeconds: Math.ceil(freesAtSeconds - nowMs / 1000),
  };
}

/** Returns the bucket's number in the library. */
function bucketOf(timeMs: number): number {
  return Math.floor(timeMs / WINDOW_MS);
}

/**
 * Guarantee: the library's only commands here are EVALSHA and EVAL, whose bodies are flat and whose replies are read by
 * `vetted`.
 */
function asRequester(link: RedisLink): Requester {
  const request = ({ body }: { body?: unknown }) => link.send(body as RedisCommand);
  return { request: request as Requester["request"] };
}
