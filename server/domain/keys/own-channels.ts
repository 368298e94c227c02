import { and, eq, inArray } from "drizzle-orm";
import type { OrmTransaction } from "@/db/client";
import { channels } from "@/db/schema";
import { WaypostError } from "@/server/platform/errors";

/**
 * Checks that the channels exist. @throws WaypostError `validation_failed` for a channel that is unknown or another
 * organization's.
 */
export async function requireOwnChannels(
  tx: OrmTransaction,
  organizationId: string,
  channelIds: readonly string[],
): Promise<void> {
  const own = await tx
    .select({ id: channels.id })
    .from(channels)
    .where(and(eq(channels.organizationId, organizationId), inArray(channels.id, [...channelIds])));
  const unknown = channelIds.find((id) => !own.some((channel) => channel.id === id));
  if (unknown === undefined) return;
  throw new WaypostError("validation_failed", {
    message: `The organization has no channel ${unknown}.`,
    field: "channelIds",
  });
}
