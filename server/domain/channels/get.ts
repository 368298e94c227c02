import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { unreachableForMeta } from "./callback-address";
import { type ChannelInput, noSuchChannel, requireChannelId } from "./input";
import { type ChannelView, readChannels } from "./view";

/** A channel as its own page shows it. */
export interface ChannelDetail extends ChannelView {
  /** The path that Meta calls, below this service's public URL. */
  readonly callbackPath: `/${string}`;
  /** Why Meta can't reach that URL, with what to do; null if no reason is known. */
  readonly callbackRemark: string | null;
}

/**
 * Returns one channel of the organization, even a disabled one.
 * @throws WaypostError `permission_denied` for keys, and without `channels.read`; `channel_not_found`, the same for an
 * unknown id and another organization's.
 */
export async function getChannel(args: { ctx: Context; input: ChannelInput }): Promise<ChannelDetail> {
  const { ctx } = args;
  requireMemberCapability(ctx.actor, "channels.read");
  const { channelId } = args.input;
  requireChannelId(channelId);
  const [channel] = await readChannels(ctx, { which: ctx.services.sql`c.id = ${channelId}`, rowsMax: 1 });
  if (!channel) throw noSuchChannel();
  return {
    ...channel,
    callbackPath: `/api/upstream/whatsapp/${channel.id}`,
    callbackRemark:
      channel.upstream === "simulator" ? null : unreachableForMeta(ctx.services.config.publicUrl),
  };
}
