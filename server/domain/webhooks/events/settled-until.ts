import type { Executor, SqlFragment } from "@/db/client";

/** Between a row's time and the moment that its transaction is seen to write, not even that much passes. */
const UNSEEN_SECONDS = 1;
/** No transaction of ours takes nearly so long; others may, and hold nobody up for longer. */
const WAIT_SECONDS_MAX = 60;

/**
 * Rows of events and deliveries that were written before that time are all there. A row has the time at which it was
 * written, and is seen once its transaction has ended: until then, what came later must not be taken for the next one.
 * Whoever writes has a transaction id, and everybody sees that it has; who only reads, such as a dump or an export, has
 * none, and holds nobody up. Since when a transaction runs is hidden in sessions of other roles, unless ours may read all
 * statistics: where such a role may write events, its transactions count as begun long ago.
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

/** Sessions of other roles that may write events, and of which ours can't see since when they do. */
export async function countHiddenWriters(sql: Executor): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and usesysid is not null and ${isHidden(sql)} and ${mayWriteEvents(sql)}`;
  return row?.count ?? 0;
}

/** Of a row of `pg_stat_activity` that has a role. */
const isHidden = (sql: Executor) => sql`backend_start is null`;
const mayWriteEvents = (sql: Executor) => sql`has_table_privilege(usesysid, 'webhook_events', 'insert')`;
