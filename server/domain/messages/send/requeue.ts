import type { Context } from "@/server/core/context";
import { isStale } from "./stale";

/**
 * Puts a stale message into the queue again because its sender asked for it again: it is queued, due, unclaimed,
 * in no doubt, and was enqueued more than a minute ago. When and in which order it is sent stays.
 */
export async function requeueStale(ctx: Context, messageId: string, channelId: string): Promise<void> {
  const { sql, jobs } = ctx.services;
  await sql`
    update messages m set enqueued_at = now()
    where m.organization_id = ${ctx.actor.organizationId} and m.id = ${messageId} and ${isStale(sql)}`;
  jobs.notifyChannel(channelId);
}
