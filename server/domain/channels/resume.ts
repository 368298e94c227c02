import type { TransactionSql } from "@/db/client";
import { recordAuditBySql } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { endPauses } from "./pause";
import { type ChannelInput, noSuchChannel, requireChannelId } from "./input";

/**
 * Ends a channel's pause because somebody says that it works again. If it doesn't, the next send pauses it again. Does
 * nothing if it isn't paused.
 * @returns why it was paused; null if it wasn't.
 * @throws WaypostError `channel_not_found`; `permission_denied` without `channels.manage`.
 */
export async function resumeChannel(args: { ctx: Context; input: ChannelInput }): Promise<string | null> {
  const { ctx, input } = args;
  requireCapability(ctx.actor, "channels.manage");
  const { organizationId } = ctx.actor;
  const { channelId } = input;
  requireChannelId(channelId);
  const ended = await ctx.services.sql.begin(async (tx) => {
    const own = tx`c.organization_id = ${organizationId} and c.id = ${channelId}`;
    const [channel] = await tx`select 1 from channels c where ${own}`;
    if (!channel) throw noSuchChannel();
    const [pause] = await endPauses(tx, own);
    if (!pause) return null;
    await recordAuditBySql(tx, ctx, {
      action: "channel.resumed",
      subjectKind: "channel",
      subjectId: channelId,
      detail: { pauseReason: pause.reason },
    });
    return pause;
  });
  if (ended === null) return null;
  ctx.services.jobs.notifyChannel(channelId);
  return ended.reason;
}

/** Ends the pauses of channels on which one of these attempts, started after the pause, got a definite response. */
export async function resumeAnswering(tx: TransactionSql, attemptIds: readonly string[]): Promise<void> {
  await endPauses(
    tx,
    tx`exists (
      select from message_attempts a
      where a.id = any(${[...attemptIds]}::uuid[]) and a.organization_id = c.organization_id
        and a.channel_id = c.id and a.started_at > c.paused_at)`,
  );
}
