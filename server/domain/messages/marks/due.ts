import type { Services } from "@/server/core/context";

/** Notifies every channel with a mark as read that is due. */
export async function notifyDueMarks(services: Services): Promise<void> {
  for (const channelId of await channelsWithMarksDue(services)) services.jobs.notifyMarks(channelId);
}

/** One index probe per channel that has any. A paused or disabled channel waits. */
async function channelsWithMarksDue({ sql }: Services): Promise<string[]> {
  const rows = await sql<{ channelId: string }[]>`
    with recursive queues as (
      (select channel_id, next_attempt_at from read_marks where is_pending
        order by channel_id, next_attempt_at limit 1)
      union all
      select n.channel_id, n.next_attempt_at from queues q, lateral (
        select channel_id, next_attempt_at from read_marks where is_pending and channel_id > q.channel_id
        order by channel_id, next_attempt_at limit 1) n
    )
    select q.channel_id as "channelId" from queues q join channels c on c.id = q.channel_id
    where q.next_attempt_at <= now() and c.paused_at is null and c.disabled_at is null`;
  return rows.map(({ channelId }) => channelId);
}
