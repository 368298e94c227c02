import type { Sql } from "@/db/client";

/** A repeat of a message that has been waiting untouched for longer is requeued. */
const STALE_AFTER = "60 seconds";

/** SQL: whether the row `m` of messages is stale. */
export const isStale = (sql: Sql) => sql`
  (m.is_queued and m.claim_token is null and m.in_doubt_since is null
    and m.next_attempt_at <= now() and m.enqueued_at < now() - ${STALE_AFTER}::interval)`;
