import { asc, eq } from "drizzle-orm";
import type { Orm } from "@/db/client";
import { channels, conversations, apiKeys } from "@/db/schema";
import { isUuid } from "@/server/lib/uuid";

/** Finds a conversation of any organization, for an operator's command. Null if there is none. */
export async function findConversation(orm: Orm, id: string) {
  const [found] = await orm
    .select({
      status: conversations.status,
      assigneeId: conversations.assigneeId,
      lastInboundAt: conversations.lastInboundAt,
    })
    .from(conversations)
    .where(eq(conversations.id, id));
  return found ?? null;
}

/** Finds the organization of a channel, for an operator's command. Null if there is no such channel. */
export async function organizationOfChannel(orm: Orm, id: string): Promise<string | null> {
  const [found] = await orm
    .select({ organizationId: channels.organizationId })
    .from(channels)
    .where(eq(channels.id, id));
  return found?.organizationId ?? null;
}

/**
 * Lists the organization's channels in the order of their connection, as shown to an operator: without their secrets.
 */
export async function channelsOf(orm: Orm, organizationId: string) {
  return orm
    .select({
      id: channels.id,
      name: channels.name,
      upstream: channels.upstream,
      phoneNumberId: channels.phoneNumberId,
      displayPhoneNumber: channels.displayPhoneNumber,
      isDefault: channels.isDefault,
      disabledAt: channels.disabledAt,
      pausedAt: channels.pausedAt,
      pauseReason: channels.pauseReason,
      pauseDetail: channels.pauseDetail,
    })
    .from(channels)
    .where(eq(channels.organizationId, organizationId))
    .orderBy(asc(channels.id));
}

/** Returns the key's organization, for work that has only the key's id; null if there is no such key. */
export async function organizationOfKey(orm: Orm, keyId: string): Promise<string | null> {
  if (!isUuid(keyId)) return null;
  const [key] = await orm
    .select({ organizationId: apiKeys.organizationId })
    .from(apiKeys)
    .where(eq(apiKeys.id, keyId));
  return key?.organizationId ?? null;
}
