import { createPool, type DatabaseAddress, type Executor } from "./client";

/** Schema of the time functions. Sessions find it before PostgreSQL's own schema. */
const SCHEMA = "moved";

/** PostgreSQL's time functions that the program uses, and how often each is evaluated. */
const FUNCTIONS = { now: "stable", clock_timestamp: "volatile" } as const;

/**
 * Puts time functions that `moveClock` can move in front of PostgreSQL's own: for sessions that begin afterwards, and
 * for defaults of columns. Can be repeated, which also covers columns of later migrations, and keeps the clock where it
 * is. Times that PostgreSQL records itself, such as a transaction's start, and `pg_catalog.now()` stay the machine's.
 *
 * PostgreSQL replaces a call of such a function by its text when it plans a statement, so an unmoved clock costs
 * nothing, and plans that exist are made again when the clock is moved.
 */
export async function makeClockMovable(address: DatabaseAddress): Promise<void> {
  const sql = createPool(address, { name: "clock", connectionsMax: 1 });
  try {
    await sql.begin(async (tx) => {
      await tx.unsafe(`create schema if not exists ${SCHEMA}`);
      const [existing] = await tx`select 1 from pg_proc where pronamespace = ${SCHEMA}::regnamespace limit 1`;
      if (existing === undefined) await tx.unsafe(functionsAhead(0));
      await tx.unsafe(MOVE_DEFAULTS);
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** With PostgreSQL's own schema first in the path, a default that is its own function is shown without a schema. */
const MOVE_DEFAULTS = `
  set local search_path = pg_catalog, public;
  do $$ declare c record; begin
    for c in select table_name, column_name, column_default from information_schema.columns
      where table_schema = 'public' and column_default in ('now()', 'clock_timestamp()')
    loop
      execute format('alter table public.%I alter %I set default ${SCHEMA}.%s', c.table_name, c.column_name, c.column_default);
    end loop;
    execute format('alter database %I set search_path = ${SCHEMA}, pg_catalog, public', current_database());
  end $$`;

/** Id of the lock that a move of the clock holds, and everything that a moved clock forbids. */
export const CLOCK_LOCK = 7_261_906_203;

/**
 * Takes a moved clock back out of a database that isn't the embedded one: a dump of a demo brings its functions along.
 */
export async function resetRestoredClock(address: DatabaseAddress): Promise<void> {
  const sql = createPool(address, { name: "clock", connectionsMax: 1 });
  try {
    const [found] = await sql`select 1 from pg_namespace where nspname = ${SCHEMA}`;
    if (found !== undefined) await moveClock(sql, 0);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Moves the clock of the database to `aheadMs` milliseconds ahead of the machine's, for all sessions. */
export async function moveClock(sql: Executor, aheadMs: number): Promise<void> {
  await sql.unsafe(functionsAhead(aheadMs));
}

/** Returns by how many milliseconds the database's clock is ahead of the machine's. 0 if it isn't movable. */
export async function readClockAheadMs(sql: Executor): Promise<number> {
  const [row] = await sql<{ aheadMs: number }[]>`
    select round(extract(epoch from now() - pg_catalog.now()) * 1000)::float8 as "aheadMs"`;
  return row?.aheadMs ?? 0;
}

function functionsAhead(aheadMs: number): string {
  if (!Number.isSafeInteger(aheadMs)) throw new RangeError(`Not a number of milliseconds: ${aheadMs}`);
  const moved = aheadMs === 0 ? "" : ` + interval ''${aheadMs} milliseconds''`;
  return Object.entries(FUNCTIONS)
    .map(
      ([name, volatility]) => `
        create or replace function ${SCHEMA}.${name}() returns timestamptz ${volatility} language sql
          as 'select pg_catalog.${name}()${moved}';`,
    )
    .join("");
}
