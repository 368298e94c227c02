import type { Executor } from "@/db/client";

const wroteWithinWindow = (sql: Executor) => sql`
  v.last_inbound_at > greatest(now() - interval '24 hours', v.window_closed_at)`;

/**
 * SQL: until when the customer of the conversation `v` on the channel `c` can be sent messages other than templates;
 * null if they can't. That is for 24 hours after they wrote, unless the upstream has since reported the window as
 * closed. A customer who never wrote can be sent to until the end of the channel's assumed window, if its number was in
 * use before: earlier messages to it are unknown.
 */
export const windowOpenUntil = (sql: Executor) => sql`
  case when v.last_inbound_at is not null
    then case when ${wroteWithinWindow(sql)} then v.last_inbound_at + interval '24 hours' end
    else case when v.window_closed_at is null and ${unknownWindowOpen(sql)}
      then c.unknown_window_open_until end end`;

/** SQL: whether the window of the conversation `v` on the channel `c` is open; never null. */
export const windowOpen = (sql: Executor) => sql`((${windowOpenUntil(sql)}) is not null)`;

/**
 * SQL: whether customers who never wrote, and have no conversation, can be sent messages other than templates on the
 * channel `c`.
 */
export const unknownWindowOpen = (sql: Executor) => sql`coalesce(c.unknown_window_open_until > now(), false)`;

/**
 * SQL: whether the upstream has reported the window of the conversation `v` as closed, and the customer hasn't written
 * since.
 */
export const windowDenied = (sql: Executor) => sql`
  (v.window_closed_at is not null and v.window_closed_at >= coalesce(v.last_inbound_at, '-infinity'))`;
