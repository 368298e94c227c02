import { z } from "zod";
import { WaypostError } from "@/server/platform/errors";
import { isUuid } from "@/server/lib/uuid";

/** Names a channel. Of any form: a malformed id is answered as an unknown one. */
export const channelInput = z.strictObject({ channelId: z.string().max(200) });

export type ChannelInput = z.input<typeof channelInput>;

/** The refusal of a channel that is unknown, or another organization's. */
export function noSuchChannel(): WaypostError {
  return new WaypostError("channel_not_found", { field: "channelId" });
}

/** @throws WaypostError `channel_not_found` for what can't be the id of a channel. */
export function requireChannelId(channelId: string): void {
  if (!isUuid(channelId)) throw noSuchChannel();
}
