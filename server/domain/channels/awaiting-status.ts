import { z } from "zod";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { silences } from "./across-organizations";

export const awaitingStatusSchema = z.strictObject({});

/** A channel with messages that were handed over but have no status. */
export interface ChannelAwaitingStatus {
  readonly channelId: string;
  readonly channelName: string;
  /** Messages without a status, handed over between ten minutes and a day ago. */
  readonly waiting: number;
  /** All messages of that time, with or without a status. At most the newest hundred. */
  readonly handedOver: number;
  /** When the oldest waiting one was handed over. */
  readonly since: Date | null;
  /** None has a status: evidently WhatsApp's callbacks don't reach us. */
  readonly isSilent: boolean;
  /** What to do, for staff. */
  readonly remedy: string;
}

const REMEDIES = {
  silent: "Check that Meta has this channel's callback URL, subscribed to `messages`, and can reach it.",
  partly: "If the number grows, check the callback URL of the channel at Meta.",
} as const;

/**
 * The alarm "messages sent, no status for 10 minutes", for each affected channel of the organization. Its cost depends
 * on the number of channels only.
 * @throws WaypostError `permission_denied` without `channels.read`.
 */
export async function channelsAwaitingStatus({
  ctx,
}: {
  ctx: Context;
}): Promise<{ data: ChannelAwaitingStatus[] }> {
  requireCapability(ctx.actor, "channels.read");
  const found = await silences(ctx.services.sql, ctx.actor.organizationId);
  const data = found
    .filter(({ silent }) => silent > 0)
    .map(({ channelId, channelName, accepted, silent, silentSince }) => {
      const isSilent = silent === accepted;
      const remedy = isSilent ? REMEDIES.silent : REMEDIES.partly;
      const seen = { waiting: silent, handedOver: accepted, since: silentSince, isSilent, remedy };
      return { channelId, channelName, ...seen };
    });
  return { data };
}
