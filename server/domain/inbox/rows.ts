import type { Sql } from "@/db/client";
import type { InboxFault } from "@/db/schema";

/** The subject of a webhook with a page of its own: one of our messages, or a contact, also for a customer's message. */
export type About =
  | { readonly kind: "message"; readonly messageId: string; readonly clientMessageId: string | null }
  | { readonly kind: "contact"; readonly contactId: string; readonly name: string | null };

/** One received webhook, without headers and body. */
export interface ReceivedWebhook {
  readonly id: string;
  readonly receivedAt: Date;
  /** Why it can't be trusted; null if it is genuine. */
  readonly fault: InboxFault | null;
  /** The type that it declares; null if it isn't genuine. */
  readonly type: string | null;
  /** Null if it is about no existing message or contact. */
  readonly about: About | null;
}

export interface ReceivedRow extends Omit<ReceivedWebhook, "about"> {
  readonly messageId: string | null;
  readonly clientMessageId: string | null;
  readonly contactId: string | null;
  readonly contactName: string | null;
  readonly isOurs: boolean | null;
}

/** SQL: the columns read from `demo_inbox i`, with `receivedJoins`. */
export const receivedColumns = (sql: Sql) => sql`
  i.id, i.received_at as "receivedAt", i.fault, i.type, m.id as "messageId", m.client_message_id as "clientMessageId",
  c.id as "contactId", c.name as "contactName", m.kind = 'outbound' as "isOurs"`;

export const receivedJoins = (sql: Sql) => sql`
  left join messages m on m.id = i.message_id and m.organization_id = i.organization_id
  left join contacts c on c.id = coalesce(m.contact_id, i.contact_id) and c.organization_id = i.organization_id`;

export function receivedOf(row: ReceivedRow): ReceivedWebhook {
  const { id, receivedAt, fault, type } = row;
  return { id, receivedAt, fault, type, about: aboutOf(row) };
}

function aboutOf({ messageId, clientMessageId, contactId, contactName, isOurs }: ReceivedRow): About | null {
  if (contactId === null) return null;
  return messageId !== null && isOurs
    ? { kind: "message", messageId, clientMessageId }
    : { kind: "contact", contactId, name: contactName };
}
