import type { Services } from "@/server/core/context";

/**
 * Returns the channels with a stored callback to process. Costs one index lookup per channel, however many callbacks
 * wait.
 */
export async function channelsWithCallbacksDue({ sql }: Services): Promise<readonly string[]> {
  const rows = await sql<{ channelId: string }[]>`
    with recursive waiting as (
      (select channel_id from upstream_callbacks where processed_at is null order by channel_id limit 1)
      union all
      select (select u.channel_id from upstream_callbacks u
        where u.processed_at is null and u.channel_id > w.channel_id order by u.channel_id limit 1)
      from waiting w where w.channel_id is not null
    )
    select w.channel_id as "channelId" from waiting w
    where exists (select from upstream_callbacks u
      where u.channel_id = w.channel_id and u.processed_at is null
        and (u.claimed_until is null or u.claimed_until < now()))`;
  return rows.map((row) => row.channelId);
}

export async function notifyDueCallbacks(services: Services): Promise<void> {
  for (const channelId of await channelsWithCallbacksDue(services)) services.jobs.notifyCallbacks(channelId);
}
