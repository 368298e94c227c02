import type { TransactionSql } from "@/db/client";
import { eq, and } from "drizzle-orm";
import { channels } from "@/db/schema";
import { recordAudit } from "../audit/record";
import { requireCapability } from "../capabilities";
import type { Context } from "../context";
import { WaypostError } from "../errors";

const NOT_PAUSED = { pausedAt: null, pauseReason: null, pauseDetail: null, nextProbeAt: null } as const;

/**
 * Ends a channel's pause because somebody says that it works again; if it doesn't, the next send pauses it anew.
 * A channel that isn't paused stays as it is.
 * @returns why it was paused; null where it wasn't.
 * @throws WaypostError `channel_forbidden`, `permission_denied`.
 */
export async function resumeChannel(args: {
  ctx: Context;
  input: { channelId: string };
}): Promise<string | null> {
  const { ctx, input } = args;
  requireCapability(ctx.actor, "integrations.manage_api");
  const { organizationId } = ctx.actor;
  const pauseReason = await ctx.services.orm.transaction(async (tx) => {
    const [channel] = await tx
      .select({ id: channels.id, pauseReason: channels.pauseReason })
      .from(channels)
      .where(and(eq(channels.organizationId, organizationId), eq(channels.id, input.channelId)))
      .for("no key update");
    if (!channel) throw new WaypostError("channel_forbidden", { field: "channelId" });
    if (channel.pauseReason === null) return null;
    await tx.update(channels).set(NOT_PAUSED).where(eq(channels.id, channel.id));
    await recordAudit(tx, ctx, {
      action: "channel.resumed",
      subjectKind: "channel",
      subjectId: channel.id,
      detail: { pauseReason: channel.pauseReason },
    });
    return channel.pauseReason;
  });
  if (pauseReason !== null) ctx.services.jobs.wakeChannel(input.channelId);
  return pauseReason;
}

/** Ends the pauses of channels on which one of these attempts, begun after the pause, was answered clearly. */
export async function resumeAnswering(tx: TransactionSql, attemptIds: readonly string[]): Promise<void> {
  await tx`
    update channels c set paused_at = null, pause_reason = null, pause_detail = null, next_probe_at = null
    from (
      select distinct a.organization_id, a.channel_id from message_attempts a
      join channels p on p.organization_id = a.organization_id and p.id = a.channel_id
      where a.id = any(${[...attemptIds]}::uuid[]) and p.paused_at < a.started_at) proven
    where c.organization_id = proven.organization_id and c.id = proven.channel_id`;
}
