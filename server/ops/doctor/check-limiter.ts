import type { LimiterStore } from "@/server/adapters/limits/limits";
import {
  openLimiterStore,
  openLinkedStore,
  type OpenLimiterStore,
} from "@/server/adapters/limits/open-store";
import { LinkError } from "@/server/adapters/limits/redis-link";
import { tryStore } from "@/server/adapters/limits/store-health";
import { fail, type Finding, ok, warn } from "./finding";
import type { Installation } from "./installation";
import { wordsOf } from "./statements";

const SLOW_MS = 100;
/** The API doesn't wait longer, and lets the request through. */
const TOO_SLOW_MS = 500;

const LOOK_AT = {
  postgres: "Check PostgreSQL's log.",
  redis:
    "Check that REDIS_URL has the right host, port, user and password. It must start with rediss:// if the server uses TLS, otherwise with redis://.",
  upstash:
    "Check that UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN belong to the same database and that the token has write permission.",
} as const satisfies Record<LimiterStore["name"], string>;

/**
 * Checks whether the limiter's store grants a unit, and how fast. The unit is given back. A store outside the database
 * is checked even if the database isn't available.
 */
export async function checkLimiter({ config, database }: Installation): Promise<readonly Finding[]> {
  const { limiter } = config;
  if (limiter.kind !== "postgres") return checkOpen(openLinkedStore(limiter));
  return database.kind === "reached" ? checkOpen(openLimiterStore(limiter, database.sql)) : [];
}

async function checkOpen({ store, close }: OpenLimiterStore): Promise<readonly Finding[]> {
  try {
    return await checkStore(store);
  } finally {
    await close();
  }
}

/** Like `checkLimiter`, for the given store. */
export async function checkStore(store: LimiterStore): Promise<readonly Finding[]> {
  try {
    // The first attempt isn't measured, because it may have to connect.
    await tryStore(store);
    const startedMs = performance.now();
    await tryStore(store);
    return [timed(store, Math.round(performance.now() - startedMs))];
  } catch (error) {
    const words = error instanceof LinkError ? error.message : wordsOf(error);
    const remedy = `${LOOK_AT[store.name]} Until it responds, requests are accepted without a rate limit.`;
    return [fail("store", `${store.name} grants nothing: ${words}; it is in ${store.place}`, remedy)];
  }
}

function timed(store: LimiterStore, ms: number): Finding {
  const seen = `${store.name} grants a unit in ${ms} ms`;
  const remedy = `Every request waits for it. After ${TOO_SLOW_MS} ms, requests are accepted without a rate limit.`;
  if (ms > TOO_SLOW_MS) return fail("store", seen, remedy);
  return ms > SLOW_MS ? warn("store", seen, remedy) : ok("store", seen);
}
