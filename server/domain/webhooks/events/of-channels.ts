import type { Executor, SqlFragment } from "@/db/client";

/**
 * SQL: whether a delivery under the name `d` is about a message of one of the channels, or about none, as tests are.
 * Evaluated row by row, so that a page that fills quickly doesn't read every event.
 */
export function isOfChannels(sql: Executor, channelIds: SqlFragment): SqlFragment {
  return sql`coalesce((
    select m.channel_id = any(${channelIds})
    from webhook_events v join messages m on m.id = v.message_id and m.organization_id = v.organization_id
    where v.id = d.event_id and v.organization_id = d.organization_id), true)`;
}
