import type { Context } from "@/server/core/context";
import type { ChannelInput } from "./input";
import { setDisabled } from "./set-disabled";

/**
 * Disables a channel: new messages on it are refused with `channel_forbidden`, waiting ones stay queued, and callbacks
 * are still accepted, so that sent messages get their statuses. Idempotent.
 * @throws WaypostError `channel_not_found`; `permission_denied` without `channels.manage`.
 */
export async function disableChannel({ ctx, input }: { ctx: Context; input: ChannelInput }): Promise<void> {
  await setDisabled(ctx, input, true);
}
