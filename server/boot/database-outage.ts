import type { Logger } from "pino";
import { isDatabaseUnavailable } from "@/db/errors";
import { rootCause } from "@/server/lib/error-causes";
import type { Repeated } from "@/server/core/queue/repeat";

/**
 * Logs an outage of the database once when it begins and once when it ends, however many failures there are in between.
 */
export interface DatabaseOutages {
  /**
   * For the logger: returns true for a line that only says that the database is unavailable. The first line of an
   * outage is replaced by another text, the others are dropped. While no `watch` is active, every line is logged as it
   * is.
   */
  absorbs(line: readonly unknown[]): boolean;
  /** @param ask resolves when the database responds. */
  watch(log: Logger, ask: () => Promise<unknown>): Repeated;
}

const ASK_EVERY_MS = 250;

export function createDatabaseOutages(): DatabaseOutages {
  let begin: ((error: unknown) => void) | null = null;
  return {
    absorbs(line) {
      const error = errorOf(line[0]);
      if (begin === null || !saysDatabaseIsAway(error)) return false;
      begin(error);
      return true;
    },
    watch(log, ask) {
      const watched = watchOutages(log, ask);
      begin = watched.begin;
      return {
        async stop() {
          begin = null;
          watched.stop();
        },
      };
    },
  };
}

function watchOutages(log: Logger, ask: () => Promise<unknown>) {
  let beganAtMs: number | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function look(since: number): Promise<void> {
    try {
      await ask();
      beganAtMs = null;
      log.info({ awayMs: Math.round(performance.now() - since) }, "the database is reachable again");
    } catch {
      if (beganAtMs === since) wait(since);
    }
  }
  function wait(since: number): void {
    timer = setTimeout(() => void look(since), ASK_EVERY_MS);
  }

  return {
    begin(error: unknown) {
      if (beganAtMs !== null) return;
      beganAtMs = performance.now();
      log.warn(
        { cause: causeOf(error) },
        "the database is unavailable: unfinished work continues when it is available again",
      );
      wait(beganAtMs);
    },
    stop() {
      beganAtMs = null;
      clearTimeout(timer);
    },
  };
}

function errorOf(first: unknown): unknown {
  if (first instanceof Error) return first;
  return typeof first === "object" && first !== null && "err" in first ? first.err : null;
}

/** Any broken connection can have these error codes. postgres.js marks the errors of failed statements. */
function saysDatabaseIsAway(error: unknown): boolean {
  if (!(error instanceof Error) || !isDatabaseUnavailable(error)) return false;
  const root = rootCause(error);
  const code = "code" in root ? String(root.code) : "";
  return "query" in root || root.name === "PostgresError" || code.startsWith("CONNECTION_");
}

function causeOf(error: unknown): string {
  return error instanceof Error ? rootCause(error).message : String(error);
}
