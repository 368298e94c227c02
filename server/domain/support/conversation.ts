import type { Sql } from "@/db/client";
import type { Context } from "@/server/core/context";
import { currentFirst } from "@/server/domain/contacts/current-names";
import { isUuid } from "@/server/lib/uuid";
import { WaypostError } from "@/server/platform/errors";

/** A customer as conversations show them. For a merged contact, the contact that it was merged into. */
export interface Customer {
  readonly id: string;
  readonly name: string | null;
  /** The current one: E.164 without the plus sign. */
  readonly number: string | null;
  /** WhatsApp's id of the person. */
  readonly userId: string | null;
  readonly isErased: boolean;
}

/** The columns of a `CustomerRow`, of the contact `k`. */
export const customerColumns = (sql: Sql) => sql`
  k.id as "contactId", k.name as "contactName", k.erased_at is not null as "isErased",
  (select handle from contact_identities i where i.contact_id = k.id and i.organization_id = k.organization_id
    and i.kind = 'whatsapp' order by ${currentFirst(sql)} limit 1) as number,
  (select handle from contact_identities i where i.contact_id = k.id and i.organization_id = k.organization_id
    and i.kind = 'bsuid' order by ${currentFirst(sql)} limit 1) as "userId"`;

/** SQL: the contact `k` of the conversation `v`, following a merge. */
export const customerJoin = (sql: Sql) => sql`
  join contacts o on o.id = v.contact_id and o.organization_id = v.organization_id
  join contacts k on k.id = coalesce(o.merged_into, o.id) and k.organization_id = v.organization_id`;

export interface CustomerRow {
  readonly contactId: string;
  readonly contactName: string | null;
  readonly isErased: boolean;
  readonly number: string | null;
  readonly userId: string | null;
}

export function customerOf({ contactId, contactName, isErased, number, userId }: CustomerRow): Customer {
  return { id: contactId, name: contactName, number, userId, isErased };
}

/** The error for a conversation that the organization doesn't have. */
export const noSuchConversation = () => new WaypostError("thread_not_found", { field: "threadId" });

/** A conversation's keys. */
export interface ConversationKeys {
  readonly id: string;
  readonly channelId: string;
}

/** @throws WaypostError `thread_not_found`: the same for an unknown or malformed id and another organization's. */
export async function requireConversation(
  { services, actor }: Context,
  threadId: string,
): Promise<ConversationKeys> {
  const rows = isUuid(threadId)
    ? await services.sql<ConversationKeys[]>`
        select id, channel_id as "channelId" from conversations
        where id = ${threadId} and organization_id = ${actor.organizationId}`
    : [];
  const [found] = rows;
  if (found === undefined) throw noSuchConversation();
  return found;
}
