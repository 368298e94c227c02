import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { rootOf, systemCodeOf } from "../causes";

/** SQLSTATE cannot_connect_now: PostgreSQL starts up, recovers or shuts down. */
const NOT_YET = "57P03";
const ASK_AGAIN_MS = 250;
const TELL_EVERY_MS = 30_000;

/**
 * What the database answers. While PostgreSQL says that it takes no connection yet, it is asked again, however long its
 * recovery takes; the log tells of it at once and every 30 s.
 * @throws whatever else the asking fails with.
 */
export async function onceStarted<T>(log: Logger, ask: () => Promise<T>): Promise<T> {
  for (let toldAtMs = -Infinity; ; await delay(ASK_AGAIN_MS)) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Error) || systemCodeOf(error) !== NOT_YET) throw error;
      if (performance.now() - toldAtMs < TELL_EVERY_MS) continue;
      toldAtMs = performance.now();
      log.warn({ reason: rootOf(error).message }, "PostgreSQL takes no connection yet: Waypost waits for it");
    }
  }
}
