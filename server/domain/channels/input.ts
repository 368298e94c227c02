import { z } from "zod";
import { WaypostError } from "@/server/platform/errors";
import { isUuid } from "@/server/lib/uuid";

/** Names a channel. Accepts any text: a malformed id gets the same error as an unknown one. */
export const channelInput = z.strictObject({ channelId: z.string().max(200) });

export type ChannelInput = z.input<typeof channelInput>;

/** The error for a channel that is unknown, or another organization's. */
export function noSuchChannel(): WaypostError {
  return new WaypostError("channel_not_found", { field: "channelId" });
}

/** Checks the form of a channel's id. @throws WaypostError `channel_not_found` for a malformed one. */
export function requireChannelId(channelId: string): void {
  if (!isUuid(channelId)) throw noSuchChannel();
}
