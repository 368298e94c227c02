import type { Sql } from "@/db/client";

const wroteWithinWindow = (sql: Sql) => sql`
  v.last_inbound_at > greatest(now() - interval '24 hours', v.window_closed_at)`;

/**
 * Until when the customer of the conversation `v` on the channel `c` can be sent what is no template, as SQL; null where they
 * can't: for 24 hours after they wrote, unless the upstream has reported the window as closed since. Who never wrote can be
 * sent to on a channel whose number was in use before, of which it isn't known.
 */
export const windowOpenUntil = (sql: Sql) => sql`
  case when v.last_inbound_at is not null
    then case when ${wroteWithinWindow(sql)} then v.last_inbound_at + interval '24 hours' end
    else case when v.window_closed_at is null and ${unknownWindowOpen(sql)}
      then c.unknown_window_open_until end end`;

/** Whether the window of the conversation `v` on the channel `c` is open, as SQL; never null. */
export const windowOpen = (sql: Sql) => sql`((${windowOpenUntil(sql)}) is not null)`;

/** Whether customers who never wrote, and have no conversation, can be sent what is no template on the channel `c`, as SQL. */
export const unknownWindowOpen = (sql: Sql) => sql`coalesce(c.unknown_window_open_until > now(), false)`;

/** Whether the upstream has reported the window of the conversation `v` as closed, and the customer hasn't written since. */
export const windowDenied = (sql: Sql) => sql`
  (v.window_closed_at is not null and v.window_closed_at >= coalesce(v.last_inbound_at, '-infinity'))`;
