import type { Context } from "@/server/core/context";
import { isStale } from "./stale";

/**
 * Requeues a stale message because its sender repeated the request: one that is queued, due, unclaimed, not in doubt,
 * and was enqueued more than a minute ago. Its due time and order stay.
 */
export async function requeueStale(ctx: Context, messageId: string, channelId: string): Promise<void> {
  const { sql, jobs } = ctx.services;
  await sql`
    update messages m set enqueued_at = now()
    where m.organization_id = ${ctx.actor.organizationId} and m.id = ${messageId} and ${isStale(sql)}`;
  jobs.notifyChannel(channelId);
}
