import { and, eq } from "drizzle-orm";
import { channels, organizations } from "@/db/schema";
import { recordAudit } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import type { OrmTransaction } from "@/db/client";
import { type ChannelInput, noSuchChannel, requireChannelId } from "./input";

/**
 * Makes a channel the default, which is used if neither request nor contact determines one. It replaces the current
 * default. Of several concurrent calls, the last one wins.
 * @throws WaypostError `channel_not_found`; `permission_denied` without `channels.manage`; `validation_failed` for a
 * disabled channel, which can't send.
 */
export async function makeDefaultChannel(args: { ctx: Context; input: ChannelInput }): Promise<void> {
  const { ctx } = args;
  requireCapability(ctx.actor, "channels.manage");
  const { channelId } = args.input;
  requireChannelId(channelId);
  const { organizationId } = ctx.actor;
  const isOwn = and(eq(channels.organizationId, organizationId), eq(channels.id, channelId));
  await ctx.services.orm.transaction(async (tx) => {
    const [known] = await tx.select({ id: channels.id }).from(channels).where(isOwn);
    if (!known) throw noSuchChannel();
    const former = await clearDefault(tx, organizationId);
    const [channel] = await tx
      .update(channels)
      .set({ isDefault: true })
      .where(isOwn)
      .returning({ id: channels.id, disabledAt: channels.disabledAt });
    if (!channel) throw noSuchChannel();
    if (channel.disabledAt !== null) {
      const message = "A disabled channel can't be the default. Enable it first.";
      throw new WaypostError("validation_failed", { field: "channelId", message });
    }
    if (former === channel.id) return;
    await recordAudit(tx, ctx, {
      action: "channel.made_default",
      subjectKind: "channel",
      subjectId: channel.id,
      detail: { default: { from: former, to: channel.id } },
    });
  });
}

/**
 * Clears the organization's default channel. Locks the organization's row, so that of two concurrent calls the later
 * one decides the default.
 * @returns the id of the previous default; null if there was none.
 */
export async function clearDefault(tx: OrmTransaction, organizationId: string): Promise<string | null> {
  await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
    .for("no key update");
  const [former] = await tx
    .update(channels)
    .set({ isDefault: false })
    .where(and(eq(channels.organizationId, organizationId), eq(channels.isDefault, true)))
    .returning({ id: channels.id });
  return former?.id ?? null;
}
