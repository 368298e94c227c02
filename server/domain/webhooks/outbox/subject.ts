import type { Executor, SqlFragment } from "@/db/client";
import type { WebhookEventType } from "@/db/schema";

/** The subject of an event: a message, or a contact, which several channels can share. */
export type Subject =
  | { readonly kind: "message"; readonly messageId: string; readonly channelId: string }
  | { readonly kind: "contact"; readonly contactId: string };

/** Types of events whose bodies name a person: they are erased with their message or contact. */
export const NAMING_EVENT_TYPES = [
  "message.received",
  "contact.opted_out",
  "contact.opted_in",
  "contact.changed",
] as const satisfies readonly WebhookEventType[];

/**
 * SQL: whether the subject of an event under the name `v` belongs to one of the channels: its message was sent or
 * received there, or its contact has a conversation there. A contact that was merged into another one counts as that
 * one. Null for an event without a subject.
 */
export const isSubjectOfChannels = (sql: Executor, channelIds: SqlFragment): SqlFragment => sql`
  case
    -- As a value: an "exists" may be answered by reading every message there is.
    when v.message_id is not null then coalesce((
      select m.channel_id = any(${channelIds}) from messages m
      where m.id = v.message_id and m.organization_id = v.organization_id), false)
    when v.contact_id is not null then coalesce((
      select true from contacts k join conversations o
        on o.contact_id = coalesce(k.merged_into, k.id) and o.organization_id = k.organization_id
      where k.id = v.contact_id and k.organization_id = v.organization_id and o.channel_id = any(${channelIds})
      limit 1), false)
  end`;
