import { WaypostError } from "@/server/platform/errors";
import type { Context } from "./context";

/** Returns the channels of the organization that the actor may use. Null means all of them. */
export function allowedChannels({ actor }: Context): readonly string[] | null {
  return actor.kind === "key" ? actor.channelIds : null;
}

/**
 * Returns true if the actor may use the channel. The query that returned the id has already checked its organization.
 */
export function canUseChannel(ctx: Context, channelId: string): boolean {
  return allowedChannels(ctx)?.includes(channelId) ?? true;
}

/**
 * Refuses a filter by a channel that the actor can't see. A disabled channel is allowed, because its history can still
 * be read.
 * @throws WaypostError `channel_forbidden`: the same error for an unknown channel, for a channel of another
 * organization, and for one that the key may not use.
 */
export async function requireKnownChannel(
  ctx: Context,
  channelId: string,
  field = "channel_id",
): Promise<void> {
  await requireKnownChannels(ctx, [channelId], field);
}

/** Like `requireKnownChannel`, for several channels. */
export async function requireKnownChannels(
  ctx: Context,
  channelIds: readonly string[],
  field: string,
): Promise<void> {
  const channels = await ctx.services.sql<{ id: string }[]>`
    select id from channels
    where id = any(${[...channelIds]}::uuid[]) and organization_id = ${ctx.actor.organizationId}`;
  const known = new Set(channels.map(({ id }) => id));
  const isKnown = (id: string) => known.has(id) && canUseChannel(ctx, id);
  if (!channelIds.every((id) => isKnown(id.toLowerCase()))) {
    throw new WaypostError("channel_forbidden", { field });
  }
}
