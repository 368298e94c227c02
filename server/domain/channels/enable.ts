import type { Context } from "@/server/core/context";
import type { ChannelInput } from "./input";
import { setDisabled } from "./set-disabled";

/**
 * Puts a disabled channel into use again: what waited is sent, unless it is paused. A channel that isn't disabled stays as
 * it is.
 * @throws WaypostError `channel_not_found`; `permission_denied` without `channels.manage`.
 */
export async function enableChannel({ ctx, input }: { ctx: Context; input: ChannelInput }): Promise<void> {
  await setDisabled(ctx, input, false);
  ctx.services.jobs.notifyChannel(input.channelId);
}
