import { mayUseChannel } from "./allowed";
import type { Context } from "../context";
import { WaypostError } from "../errors";

/**
 * Refuses a filter by a channel that the actor can't know of. A disabled channel is let through: what was done on it can
 * still be read.
 * @throws WaypostError `channel_forbidden`, the same for an unknown channel, another organization's, and one that the key
 * may not use.
 */
export async function requireKnownChannel(
  ctx: Context,
  channelId: string,
  field = "channel_id",
): Promise<void> {
  const [channel] = await ctx.services.sql`
    select 1 from channels where id = ${channelId} and organization_id = ${ctx.actor.organizationId}`;
  if (channel === undefined || !mayUseChannel(ctx, channelId.toLowerCase())) {
    throw new WaypostError("channel_forbidden", { field });
  }
}
