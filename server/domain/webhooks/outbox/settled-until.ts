import type { Executor, SqlFragment } from "@/db/client";

/** Maximum time from a row's timestamp until its transaction has a visible transaction id. */
const UNSEEN_SECONDS = 1;
/** None of our transactions takes nearly this long. Others may, and delay nobody for longer. */
const WAIT_SECONDS_MAX = 60;

/**
 * SQL: a time before which all written rows of events and deliveries are visible. A row has the time of its insertion,
 * but becomes visible only when its transaction ends. Until then, a later row must not be taken for the next one. A
 * writing transaction has a visible transaction id; a reading one, such as a dump or an export, has none, and delays
 * nobody. The start times of other roles' transactions are hidden, unless our role may read all statistics: if such a
 * role may write events, its transactions count as started long ago.
 */
export function settledUntil(sql: Executor): SqlFragment {
  return sql`least(
    clock_timestamp() - make_interval(secs => ${UNSEEN_SECONDS}),
    greatest(
      clock_timestamp() - make_interval(secs => ${WAIT_SECONDS_MAX}),
      (select coalesce(min(case
          when ${isHidden(sql)} then case when ${mayWriteEvents(sql)} then '-infinity'::timestamptz end
          -- The server doesn't note what sessions do.
          when state = 'disabled' then '-infinity'
          else xact_start end), 'infinity')
        from pg_stat_activity
        where datname = current_database() and usesysid is not null and backend_xid is not null
          and pid <> pg_backend_pid())))`;
}

/** Counts sessions of other roles that may write events, with a start time that ours can't see. */
export async function countHiddenWriters(sql: Executor): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and usesysid is not null and ${isHidden(sql)} and ${mayWriteEvents(sql)}`;
  return row?.count ?? 0;
}

/** SQL: for a row of `pg_stat_activity` with a role. */
const isHidden = (sql: Executor) => sql`backend_start is null`;
const mayWriteEvents = (sql: Executor) => sql`has_table_privilege(usesysid, 'webhook_events', 'insert')`;
