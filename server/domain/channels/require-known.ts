import { mayUseChannel } from "./allowed";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";

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
  await requireKnownChannels(ctx, [channelId], field);
}

/** The same for several. */
export async function requireKnownChannels(
  ctx: Context,
  channelIds: readonly string[],
  field: string,
): Promise<void> {
  const channels = await ctx.services.sql<{ id: string }[]>`
    select id from channels
    where id = any(${[...channelIds]}::uuid[]) and organization_id = ${ctx.actor.organizationId}`;
  const known = new Set(channels.map(({ id }) => id));
  const isKnown = (id: string) => known.has(id) && mayUseChannel(ctx, id);
  if (!channelIds.every((id) => isKnown(id.toLowerCase()))) {
    throw new WaypostError("channel_forbidden", { field });
  }
}
