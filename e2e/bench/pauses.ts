import type { Sql } from "@/db/client";
import { readMetrics } from "./activity";
import { countAbove, histogramBetween, histogramFacts, longestWithinMs, PAUSE_MS } from "./histogram";
import type { Fact } from "./load";

/** The tables that every message changes. */
const HOT_TABLES = ["messages", "message_attempts", "conversations", "upstream_callbacks"];
/** The library measures from one tick to the next, and this time lies between two ticks. */
const LOOP_TICK_MS = 10;

/** Starts watching the pauses inside of a Waypost process; the returned function gives those since then. */
export async function watchProcessPauses(baseUrl: string): Promise<() => Promise<readonly Fact[]>> {
  const before = await readMetrics(baseUrl);
  return async () => {
    const after = await readMetrics(baseUrl);
    const loop = histogramBetween("waypost_event_loop_delay_seconds", before, after);
    const collections = histogramBetween("waypost_gc_pause_seconds", before, after);
    const longestSeconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(after)?.[1];
    const longestMs = Number(longestSeconds) * 1000 - LOOP_TICK_MS;
    return [
      { name: "longest delay of the event loop, ms", value: longestMs },
      { name: `event loop: delays > ${PAUSE_MS} ms`, value: countAbove(loop, PAUSE_MS), atMost: 0 },
      ...histogramFacts("event loop: delays", loop),
      { name: "longest pause of garbage collection, at most, ms", value: longestWithinMs(collections) },
      {
        name: `garbage collection: pauses > ${PAUSE_MS} ms`,
        value: countAbove(collections, PAUSE_MS),
        atMost: 0,
      },
      ...histogramFacts("garbage collection: pauses", collections),
    ];
  };
}

/** Starts watching PostgreSQL's own work; the returned function gives what was done since then. */
export async function watchMaintenance(sql: Sql): Promise<() => Promise<readonly Fact[]>> {
  const before = await maintenanceOf(sql);
  return async () => {
    const after = await maintenanceOf(sql);
    const more = (field: keyof typeof after) => after[field] - before[field];
    return [
      { name: "checkpoints that were asked for", value: more("requested") },
      { name: "checkpoints by the clock", value: more("timed") },
      { name: "autovacuums", value: more("autovacuums") },
      { name: "autoanalyzes", value: more("autoanalyzes") },
    ];
  };
}

async function maintenanceOf(sql: Sql) {
  const [row] = await sql<{ requested: number; timed: number; autovacuums: number; autoanalyzes: number }[]>`
    select c.num_requested::int as requested, c.num_timed::int as timed, t.autovacuums, t.autoanalyzes
    from pg_stat_checkpointer c, (
      select sum(autovacuum_count)::int as autovacuums, sum(autoanalyze_count)::int as autoanalyzes
      from pg_stat_all_tables) t`;
  if (row === undefined) throw new Error("PostgreSQL doesn't tell of its checkpoints");
  return row;
}

/** A checkpoint as fast as the disk allows. @returns how long it took. */
export async function checkpoint(sql: Sql): Promise<Fact> {
  const startedAtMs = performance.now();
  await sql`checkpoint`;
  return { name: "our CHECKPOINT took, ms", value: performance.now() - startedAtMs };
}

/** Vacuums the tables that every message changes, one after another. @returns how long it took. */
export async function vacuumHotTables(sql: Sql): Promise<Fact> {
  const startedAtMs = performance.now();
  for (const table of HOT_TABLES) await sql`vacuum ${sql(table)}`;
  return {
    name: `our VACUUM of ${HOT_TABLES.length} tables took, ms`,
    value: performance.now() - startedAtMs,
  };
}
