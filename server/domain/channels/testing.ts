import { newId } from "@/db/schema";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { openConversation, queueText } from "@/server/domain/messages/testing";

/** Adds a message that the upstream accepted the given time ago, with or without a later status. */
export async function addHandedOver(
  ctx: Context<SystemActor>,
  channelId: string,
  { minutesAgo, hasStatus }: { minutesAgo: number; hasStatus: boolean },
): Promise<void> {
  const { threadId } = await openConversation(ctx, channelId);
  const messageId = await queueText(ctx, threadId);
  const { organizationId } = ctx.actor;
  const { sql } = ctx.services;
  const startedAt = new Date(Date.now() - minutesAgo * 60_000);
  await sql`
    insert into message_attempts (id, organization_id, message_id, channel_id, recipient, started_at, deadline, outcome)
    values (${newId()}, ${organizationId}, ${messageId}, ${channelId}, '1', ${startedAt}, now(), 'accepted')`;
  const sourceKey = hasStatus ? "callback:wamid.1" : "attempt:1";
  await sql`
    insert into message_events (organization_id, message_id, kind, source_key)
    values (${organizationId}, ${messageId}, 'sent', ${sourceKey})`;
}
