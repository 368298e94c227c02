import type { Context } from "../context";

/**
 * Puts a stale message into the queue again because its sender asked for it again (spec section 4.4): it is queued,
 * due, unclaimed, in no doubt, and was enqueued more than a minute ago. When and in which order it is sent stays.
 */
export async function requeueStale(ctx: Context, messageId: string, channelId: string): Promise<void> {
  const { sql, jobs } = ctx.services;
  await sql`
    update messages set enqueued_at = now()
    where organization_id = ${ctx.actor.organizationId} and id = ${messageId}
      and state = 'queued' and claim_token is null and in_doubt_since is null
      and next_attempt_at <= now() and enqueued_at < now() - interval '60 seconds'`;
  jobs.wakeChannel(channelId);
}
