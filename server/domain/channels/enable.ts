import type { Context } from "@/server/core/context";
import type { ChannelInput } from "./input";
import { setDisabled } from "./set-disabled";

/**
 * Enables a disabled channel: waiting messages are sent, unless it is paused. Does nothing if it isn't disabled.
 * @throws WaypostError `channel_not_found`; `permission_denied` without `channels.manage`.
 */
export async function enableChannel({ ctx, input }: { ctx: Context; input: ChannelInput }): Promise<void> {
  await setDisabled(ctx, input, false);
  ctx.services.jobs.notifyChannel(input.channelId);
}
