import type { Context } from "@/server/core/context";
import type { ChannelInput } from "./input";
import { setDisabled } from "./set-disabled";

/**
 * Takes a channel out of use: new messages on it are refused with `channel_forbidden`, those that wait stay queued, and its
 * callbacks are still taken, so that what was sent gets its statuses. Disabling it again changes nothing.
 * @throws WaypostError `channel_not_found`; `permission_denied` without `channels.manage`.
 */
export async function disableChannel({ ctx, input }: { ctx: Context; input: ChannelInput }): Promise<void> {
  await setDisabled(ctx, input, true);
}
