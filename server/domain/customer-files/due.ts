import type { Services } from "@/server/core/context";

/** Maximum files of one channel that are notified together. */
const OF_CHANNEL_MAX = 8;

/**
 * Notifies the files that are due to be fetched, of all organizations: some of each channel. Costs one index lookup per
 * channel, however many files wait.
 */
export async function notifyDueFiles({ sql, jobs }: Services): Promise<void> {
  const rows = await sql<{ id: string }[]>`
    with recursive waiting as (
      (select channel_id from customer_files where state = 'pending' order by channel_id limit 1)
      union all
      select (select f.channel_id from customer_files f
        where f.state = 'pending' and f.channel_id > w.channel_id order by f.channel_id limit 1)
      from waiting w where w.channel_id is not null
    )
    select due.id from waiting w, lateral (
      select f.id from customer_files f
      where f.channel_id = w.channel_id and f.state = 'pending' and f.next_attempt_at <= now()
      order by f.next_attempt_at limit ${OF_CHANNEL_MAX}) due`;
  for (const { id } of rows) jobs.notifyFile(id);
}
