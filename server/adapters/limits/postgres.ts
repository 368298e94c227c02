import type { Sql } from "@/db/client";
import type { LimiterStore } from "./limits";

/** Far longer than a wait for our own pool or row. One dead connection must not block a key permanently. */
const ANSWER_TIMEOUT_MS = 10_000;

/**
 * Creates the limiter in PostgreSQL. It never grants more than the limit in any 60 seconds, by the database's clock,
 * whatever the number of processes. A crash of PostgreSQL empties the windows. The algorithm is `take_rate_units` in
 * db/migrations.
 * @param sql its own connection pool: a unit is taken and committed separately from the insert that it pays for.
 * Otherwise a hot key would serialise on that commit.
 */
export function createPostgresStore(sql: Sql): LimiterStore {
  return {
    name: "postgres",
    place: "the database",
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
    async take(subject, bucket, limit, units) {
      const [row] = await sql<
        { granted: number; remaining: number; taken_second: number; frees_at: number; now_ms: number }[]
      >`select * from take_rate_units(${subject}::uuid, ${bucket}, ${limit}, ${units})`;
      if (!row) throw new Error("take_rate_units returned no row");
      return {
        granted: row.granted,
        remaining: row.remaining,
        takenSecond: row.taken_second,
        freesAtSeconds: row.frees_at,
        retryAfterSeconds: Math.max(1, Math.ceil((row.frees_at * 1000 - row.now_ms) / 1000)),
      };
    },
    async refund(subject, bucket, takenSecond, units) {
      await sql`select give_back_rate_units(${subject}::uuid, ${bucket}, ${takenSecond}::bigint, ${units})`;
    },
  };
}
