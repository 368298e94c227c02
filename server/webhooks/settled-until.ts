import type { Executor, SqlFragment } from "@/db/client";

/** Between reading the clock and telling that it has begun, a transaction is seen by nobody. */
const UNSEEN_SECONDS = 1;
/** No transaction of ours takes nearly so long; others may, and hold nobody up for longer. */
const WAIT_SECONDS_MAX = 60;

/**
 * Rows that were created before that time are all there. A row has the time at which its transaction began, and is seen
 * once that has ended: until then, what came later must not be taken for the next one.
 */
export function settledUntil(sql: Executor): SqlFragment {
  return sql`least(
    clock_timestamp() - make_interval(secs => ${UNSEEN_SECONDS}),
    greatest(
      clock_timestamp() - make_interval(secs => ${WAIT_SECONDS_MAX}),
      (select coalesce(min(xact_start), 'infinity') from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid())))`;
}
