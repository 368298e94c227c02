import { recordAuditBySql } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { type ChannelInput, noSuchChannel, requireChannelId } from "./input";

/**
 * Disables a channel: new messages on it are refused with `channel_forbidden`, waiting ones stay queued, and callbacks
 * are still accepted, so that sent messages get their statuses. Idempotent.
 * @throws WaypostError `channel_not_found`; `permission_denied` without `channels.manage`.
 */
export async function disableChannel({ ctx, input }: { ctx: Context; input: ChannelInput }): Promise<void> {
  await setDisabled(ctx, input, true);
}

/**
 * Enables a disabled channel: waiting messages are sent, unless it is paused. Does nothing if it isn't disabled.
 * @throws WaypostError `channel_not_found`; `permission_denied` without `channels.manage`.
 */
export async function enableChannel({ ctx, input }: { ctx: Context; input: ChannelInput }): Promise<void> {
  await setDisabled(ctx, input, false);
  ctx.services.jobs.notifyChannel(input.channelId);
}

/**
 * Disables or enables a channel. Does nothing if it already is so.
 * @throws WaypostError `channel_not_found`; `permission_denied` without `channels.manage`.
 */
async function setDisabled(ctx: Context, { channelId }: ChannelInput, toDisabled: boolean): Promise<void> {
  requireCapability(ctx.actor, "channels.manage");
  requireChannelId(channelId);
  const { organizationId } = ctx.actor;
  await ctx.services.sql.begin(async (tx) => {
    const [channel] = await tx<{ isDisabled: boolean; enabledState: "active" | "paused" }[]>`
      select disabled_at is not null as "isDisabled",
        case when paused_at is null then 'active' else 'paused' end as "enabledState"
      from channels where organization_id = ${organizationId} and id = ${channelId} for no key update`;
    if (!channel) throw noSuchChannel();
    if (channel.isDisabled === toDisabled) return;
    await tx`
      update channels set disabled_at = case when ${toDisabled} then clock_timestamp() end
      where organization_id = ${organizationId} and id = ${channelId}`;
    const { enabledState } = channel;
    await recordAuditBySql(tx, ctx, {
      action: toDisabled ? "channel.disabled" : "channel.enabled",
      subjectKind: "channel",
      subjectId: channelId,
      detail: {
        state: toDisabled ? { from: enabledState, to: "disabled" } : { from: "disabled", to: enabledState },
      },
    });
  });
}
