import type { Sql } from "@/db/client";
import { readClockAheadMs } from "@/db/movable-clock";
import { type Finding, graded, ok } from "./finding";
import type { UsableInstallation } from "./installation";

const LIMITS_SECONDS = { warn: 2, fail: 30 } as const;
const REMEDY =
  "Synchronize the clocks of both machines (NTP). Customer service windows, expiries and signatures depend on them.";

/**
 * Checks whether this machine's clock agrees with the database's.
 * @param now this machine's clock, in Unix milliseconds.
 */
export async function checkClock(
  { database }: UsableInstallation,
  now: () => number = Date.now,
): Promise<readonly Finding[]> {
  // The first statement may have to connect.
  await database.sql`select 1`;
  const before = now();
  const [row] = await database.sql<{ ms: number }[]>`
    select (extract(epoch from pg_catalog.clock_timestamp()) * 1000)::float8 as ms`;
  const after = now();
  const skewMs = (row?.ms ?? 0) - (before + after) / 2;
  // The duration of the query is not part of the clock difference.
  const certainSeconds = Math.max(0, Math.abs(skewMs) - (after - before) / 2) / 1000;
  const state = graded(certainSeconds, LIMITS_SECONDS);
  const direction = skewMs < 0 ? "ahead of" : "behind";
  if (state === "ok") return [ok("clock", `matches the database's clock${await movedBy(database.sql)}`)];
  const seen = `this machine's clock is ${certainSeconds.toFixed(1)} s ${direction} the database's`;
  return [{ what: "clock", state, seen, remedy: REMEDY }];
}

/** Returns words about a demo whose clock was moved. Empty for all others. */
async function movedBy(sql: Sql): Promise<string> {
  const aheadMs = await readClockAheadMs(sql);
  return aheadMs === 0 ? "" : `; the demo's clock was moved ${Math.round(aheadMs / 1000)} s ahead`;
}
