import type { Context } from "@/server/core/context";

/** The channels that the actor may use, of those of its organization; null for all of them. */
export function allowedChannels({ actor }: Context): readonly string[] | null {
  return actor.kind === "key" ? actor.channelIds : null;
}

/** Whether the actor may use the channel; the organization was checked by the query that gave it. */
export function mayUseChannel(ctx: Context, channelId: string): boolean {
  return allowedChannels(ctx)?.includes(channelId) ?? true;
}
