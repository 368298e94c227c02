import { LIMIT_MAX } from "../limits/policies";
import type { LimiterStore } from "../limits/limits";
import { openLimiterStore } from "../limits/open-store";
import { LinkError } from "../limits/redis-link";
import { fail, type Finding, ok, warn } from "./finding";
import type { UsableInstallation } from "./installation";
import { wordsOf } from "./statements";

/** Nobody's: no key has it. */
const SUBJECT = "00000000-0000-0000-0000-000000000000";
const SLOW_MS = 100;
/** The API doesn't wait longer, and lets the request through. */
const TOO_SLOW_MS = 500;

/** Whether the limiter's store grants a unit, and in what time. The unit is given back. */
export async function checkLimiter({ config, database }: UsableInstallation): Promise<readonly Finding[]> {
  const { store, close } = openLimiterStore(config.limiter, database.sql);
  try {
    return await checkStore(store);
  } finally {
    await close();
  }
}

/** `checkLimiter` of the given store. */
export async function checkStore(store: LimiterStore): Promise<readonly Finding[]> {
  try {
    await take(store);
    const startedMs = performance.now();
    await take(store);
    return [timed(store, Math.round(performance.now() - startedMs))];
  } catch (error) {
    const words = error instanceof LinkError ? error.message : wordsOf(error);
    const remedy = "Until it answers, requests are let through without a limit.";
    return [fail("store", `${store.name} grants nothing: ${words}`, remedy)];
  }
}

/** The first time counts for nothing: it may have to connect. */
async function take(store: LimiterStore): Promise<void> {
  const { granted, takenSecond } = await store.take(SUBJECT, "read", LIMIT_MAX, 1);
  if (granted !== 1) throw new Error("no unit was granted");
  await store.giveBack(SUBJECT, "read", takenSecond, 1);
}

function timed(store: LimiterStore, ms: number): Finding {
  const seen = `${store.name} grants a unit in ${ms} ms`;
  const remedy = `Every request waits for it; after ${TOO_SLOW_MS} ms they are let through without a limit.`;
  if (ms > TOO_SLOW_MS) return fail("store", seen, remedy);
  return ms > SLOW_MS ? warn("store", seen, remedy) : ok("store", seen);
}
