import type { Sql } from "@/db/client";

/**
 * Whether the customer of the conversation `v` wrote within the last 24 hours, as SQL, and the upstream hasn't denied it
 * since (spec section 4.2). False where nobody wrote.
 */
export const wroteWithinWindow = (sql: Sql) => sql`
  coalesce(v.last_inbound_at > greatest(now() - interval '24 hours', v.window_closed_at), false)`;

/** Whether the upstream has reported the window of the conversation `v` as closed, and the customer hasn't written since. */
export const windowDenied = (sql: Sql) => sql`
  (v.window_closed_at is not null and v.window_closed_at >= coalesce(v.last_inbound_at, '-infinity'))`;
