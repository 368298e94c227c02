import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { rootCause, systemCodeOf } from "./error-causes";

/** SQLSTATE cannot_connect_now: PostgreSQL is starting, recovering or shutting down. */
const NOT_YET = "57P03";
/** postgres.js: the connection timed out. */
const NO_CONNECTION_IN_TIME = "CONNECT_TIMEOUT";
/** An overloaded machine needs several attempts. An address that doesn't respond is reported after this time. */
const CONNECTING_MS_MAX = 60_000;
const ASK_AGAIN_MS = 250;
const LOG_EVERY_MS = 30_000;

/**
 * Runs a query and returns its result. While PostgreSQL reports that it doesn't accept connections yet, it retries
 * without a limit, because recovery can take long. Connection timeouts are retried for a minute. It logs the wait
 * immediately and every 30 s.
 * @throws any other error of the query.
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
      log.warn({ reason: rootCause(error).message }, "PostgreSQL doesn't accept connections yet: waiting");
    }
  }
}
