import { Ratelimit } from "@upstash/ratelimit";
import { Redis, type Requester } from "@upstash/redis";
import type { Grant, LimiterStore } from "./limits";
import type { Bucket } from "./policies";
import { LINK_TIMEOUT_MS, LinkError, type RedisCommand, type RedisLink } from "./redis-link";

const PREFIX = "waypost:rate";
const WINDOW_MS = 60_000;
/** Units asked for at once; after a refusal no more are asked for. */
const UNITS_AT_ONCE_MAX = 100;
/** A limit that is never reached: what remains of it tells what was used. */
const BEYOND_REACH = 2 ** 40;
const NO_ANSWER_OF_ITS_OWN = "What came back is no answer of the limiter's script";

/**
 * The sliding window of `@upstash/ratelimit` in a Redis: two buckets of 60 seconds, of which the previous one weighs
 * less with every second. An approximation: across a bucket's edge it can let nearly twice the limit through in 60
 * seconds. Each process goes by its own clock, so clocks must agree to within a second. Keys begin with
 * `waypost:rate:` and expire after two minutes.
 *
 * Each unit is a call of the library of its own, sent together: a refused call for several would count, and a call for
 * one doesn't.
 */
export function createSlidingWindowStore(link: RedisLink): LimiterStore {
  const redis = new Redis(asRequester(link));
  const limiterOf = (limit: number) =>
    new Ratelimit({
      redis,
      limiter: Ratelimit.slidingWindow(limit, `${WINDOW_MS} ms`),
      prefix: PREFIX,
      // A cache would refuse without asking, after units were given back or the limit was raised.
      ephemeralCache: false,
      // It would let through silently, and lose sight of what is granted late; `createLimits` limits the time.
      timeout: 0,
      enableTelemetry: false,
    });

  async function refund(subject: string, bucket: Bucket, takenSecond: number, units: number): Promise<void> {
    // Units of a past bucket weigh less with every second; given back to this one they would free what others took.
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
  /** After them; 0 where none was granted. */
  readonly remaining: number;
  /** What kept some of the calls from being answered. */
  readonly failure: unknown;
}

/** One call for each unit, until one is refused or fails. */
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

/** @throws LinkError for what the library made of an answer that no script gives. */
function vetted<T extends { limit: number; remaining: number }>(answer: T, limit: number): T {
  const { remaining } = answer;
  if (answer.limit === limit && Number.isSafeInteger(remaining) && remaining <= limit) return answer;
  throw new LinkError(NO_ANSWER_OF_ITS_OWN);
}

/** The library throws what Redis refused as an `UpstashError`, and stumbles over an answer that isn't a list. */
function asLinkError(error: unknown): LinkError {
  if (error instanceof LinkError) return error;
  const isRedisError = error instanceof Error && error.name === "UpstashError";
  return new LinkError(isRedisError ? `Redis refused: ${error.message}` : NO_ANSWER_OF_ITS_OWN);
}

/**
 * What is left, and when a further unit can be had for certain: when the next bucket has begun and, where more is used
 * than the limit (it was lowered), has come so far that the present one weighs less than the limit.
 * The library's `reset` is the edge itself, at which the present bucket still weighs in full.
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

/** As the library numbers them. */
function bucketOf(timeMs: number): number {
  return Math.floor(timeMs / WINDOW_MS);
}

/** Guarantee: the library's only commands here are EVALSHA and EVAL, whose bodies are flat and whose replies are read by `vetted`. */
function asRequester(link: RedisLink): Requester {
  const request = ({ body }: { body?: unknown }) => link.send(body as RedisCommand);
  return { request: request as Requester["request"] };
}
