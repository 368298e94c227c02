import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { rootCause, systemCodeOf } from "./error-causes";

/** SQLSTATE cannot_connect_now: PostgreSQL starts up, recovers or shuts down. */
const NOT_YET = "57P03";
/** postgres.js: no connection came about in time. */
const NO_CONNECTION_IN_TIME = "CONNECT_TIMEOUT";
/** A starved machine needs several tries; an address at which nobody answers is reported after this. */
const CONNECTING_MS_MAX = 60_000;
const ASK_AGAIN_MS = 250;
const LOG_EVERY_MS = 30_000;

/**
 * Asks the database, and returns its answer. While PostgreSQL says that it takes no connection yet, it is asked again,
 * however long its recovery takes; while connecting takes too long, for a minute. The log says so at once and every 30 s.
 * @throws any other error of the question.
 */
export async function onceStarted<T>(log: Logger, ask: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  const isNotYet = (error: unknown): error is Error => {
    const code = error instanceof Error ? systemCodeOf(error) : null;
    if (code === NO_CONNECTION_IN_TIME) return performance.now() - startedAtMs < CONNECTING_MS_MAX;
    return code === NOT_YET;
  };
  for (let loggedAtMs = -Infinity; ; await delay(ASK_AGAIN_MS)) {
    try {
      return await ask();
    } catch (error) {
      if (!isNotYet(error)) throw error;
      if (performance.now() - loggedAtMs < LOG_EVERY_MS) continue;
      loggedAtMs = performance.now();
      log.warn(
        { reason: rootCause(error).message },
        "PostgreSQL takes no connection yet: Waypost waits for it",
      );
    }
  }
}
