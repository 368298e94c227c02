import type { Sql } from "@/db/client";
import { wroteWithinWindow } from "./customer-window";

/**
 * Until when the customer of the conversation `v` on the channel `c` can be sent what is no template, as SQL; null where they
 * can't. Who never wrote can be on a channel whose number was in use before, of which it isn't known (design section 4).
 */
export const windowOpenUntil = (sql: Sql) => sql`
  case when v.last_inbound_at is not null
    then case when ${wroteWithinWindow(sql)} then v.last_inbound_at + interval '24 hours' end
    else case when v.window_closed_at is null and c.unknown_window_open_until > now()
      then c.unknown_window_open_until end end`;
