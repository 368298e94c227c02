import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { bytea, createdAt, id, newId, time, writtenAt } from "./columns";
import { contacts, conversations } from "./contacts";
import { templates } from "./templates";
import { uploads } from "./uploads";

export const DELIVERY_STATES = ["queued", "sent", "delivered", "read", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** SQL: a message that belongs to an earlier one: a reaction to it, its change or its withdrawal. */
export const ABOUT_TYPES = "type in ('reaction', 'revoke', 'edit')";

/** SQL: that earlier message, by Waypost's id in messages that are sent, and by WhatsApp's in those that are received. */
export const ABOUT_TARGET =
  "coalesce(content #>> '{reaction,message_id}', content #>> '{reaction,upstream_id}', content #>> '{revokes,upstream_id}', content #>> '{edits,upstream_id}')";

/**
 * All messages of a conversation: sent through the API (`outbound`), written by the customer (`inbound`), or noted by
 * staff (`note`, never sent, never visible to a key). Outbound rows are their own outbox.
 */
export const messages = pgTable(
  "messages",
  {
    id: uuid().notNull().$defaultFn(newId),
    organizationId: uuid().notNull(),
    conversationId: uuid().notNull(),
    contactId: uuid().notNull(),
    channelId: uuid().notNull(),
    kind: text({ enum: ["outbound", "inbound", "note"] }).notNull(),
    type: text().notNull(),
    /** The content, in the format of the request: `{ text: { body } }`. */
    content: jsonb().$type<Record<string, unknown>>().notNull(),
    /**
     * Read in the inserting statement, restricted to the organization. It has no foreign key, which would lock the
     * key's row each time.
     */
    keyId: uuid(),
    /** The member who sent it manually. It has no foreign key either. */
    memberId: uuid(),
    clientMessageId: text(),
    /** HMAC-SHA-256 of the RFC 8785 form of the request's body, with the organization's key. */
    bodyFingerprint: bytea(),
    /**
     * The recipient for WhatsApp: the number (or WhatsApp's id of a person whose number isn't known). Fixed at
     * acceptance.
     */
    recipient: text(),
    /** The customer's names in a message that they wrote, as the callback gave them. Null in messages that came earlier. */
    senderNumber: text(),
    senderUserId: text(),
    /** When the customer wrote the message, by WhatsApp's clock. Null in messages that came before it was stored. */
    upstreamAt: time(),
    /** The template submission in the content. */
    templateId: uuid(),
    /** The upload in the content. */
    uploadId: uuid(),
    /** The message that a member sent again with this one. */
    resendOf: uuid(),
    requestId: text(),

    /**
     * Assigned before the commit: if a client gets a 201 before its next POST, the first message has the smaller
     * number.
     */
    acceptSeq: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity(),
    state: text({ enum: DELIVERY_STATES }),
    /**
     * Used by indexes of the queue instead of the state. They need no new entries when a message changes from `sent` to
     * `delivered` and `read`.
     */
    isQueued: boolean().generatedAlwaysAs(sql`state = 'queued'`),
    eventSequence: integer().notNull().default(0),
    errorCode: text(),
    /** The upstream's own code and error text, for staff. */
    errorDetail: jsonb().$type<Record<string, unknown>>(),
    createdAt: createdAt(),
    sentAt: time(),
    deliveredAt: time(),
    readAt: time(),
    failedAt: time(),

    /** Due if in the past. Null if there is no further attempt. */
    nextAttemptAt: time(),
    /** Finished attempts that count towards the back-off. */
    attempts: integer().notNull().default(0),
    enqueuedAt: time(),
    claimToken: uuid(),
    claimedUntil: time(),
    /** Until this time, a message with a pending retry blocks the later messages of its conversation. After it, the message never blocks them again, however often it is retried. */
    holdUntil: time(),
    /** Set while an attempt's outcome is unknown. The message isn't sent again, and blocks no other. */
    inDoubtSince: time(),
    /** WhatsApp's message id (wamid). */
    upstreamId: text(),
    /** Set once retention or erasure has removed the content and the recipient. */
    erasedAt: time(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.templateId],
      foreignColumns: [templates.organizationId, templates.id],
    }),
    foreignKey({
      columns: [t.organizationId, t.uploadId],
      foreignColumns: [uploads.organizationId, uploads.id],
    }),
    // One check for organization, conversation and channel. Each check costs every insert a lookup and a lock.
    foreignKey({
      columns: [t.conversationId, t.organizationId, t.channelId],
      foreignColumns: [conversations.id, conversations.organizationId, conversations.channelId],
      name: "messages_conversation_fk",
    }),
    foreignKey({
      columns: [t.organizationId, t.contactId],
      foreignColumns: [contacts.organizationId, contacts.id],
    }),
    // Foreign keys refer to it, too: an additional index on the id alone would cost as much again.
    primaryKey({ name: "messages_pk", columns: [t.id, t.organizationId] }),
    unique("messages_client_message_id_unique").on(t.clientMessageId, t.organizationId),
    uniqueIndex("messages_upstream_id_unique")
      .on(t.channelId, t.upstreamId)
      .where(sql`${t.upstreamId} is not null`),
    index("messages_due_index")
      .on(t.channelId, t.nextAttemptAt, t.acceptSeq)
      .where(sql`${t.isQueued} and ${t.claimToken} is null and ${t.inDoubtSince} is null`),
    index("messages_claim_index")
      .on(t.claimedUntil)
      .where(sql`${t.isQueued} and ${t.claimToken} is not null`),
    // The second predicates of these two indexes reserve them for queries that contain them. If few messages were
    // queued when statistics were last collected, the planner considers all indexes of the queue equally good, and one
    // of them is read whole.
    index("messages_queue_index")
      .on(t.conversationId, t.acceptSeq)
      .where(sql`${t.isQueued} and ${t.acceptSeq} > 0`),
    // Those of a conversation are asked for without its queue.
    index("messages_reaction_index")
      .on(t.conversationId, t.acceptSeq)
      .where(sql`${t.isQueued} and ${t.type} = 'reaction'`),
    index("messages_doubt_index")
      .on(t.inDoubtSince)
      .where(sql`${t.isQueued} and ${t.inDoubtSince} is not null`),
    index("messages_expiry_index")
      .on(t.createdAt)
      .where(sql`${t.isQueued} and ${t.createdAt} > '-infinity'`),
    // The predicate reserves it for queries that read in order. Others would read a whole organization (columns.ts).
    index("messages_order_index")
      .on(t.organizationId, t.acceptSeq)
      .where(sql`${t.acceptSeq} > 0`),
    // Messages that the API shows, by acceptance or receipt: one of the sources of changes (read/list-changes.ts).
    // None of them has a column that changes with the state, so that a change of state needs no new entry.
    index("messages_accepted_index")
      .on(t.organizationId, t.createdAt, t.id)
      .where(sql`${t.kind} <> 'note'`),
    index("messages_erasure_index")
      .on(t.organizationId, t.erasedAt, t.id)
      .where(sql`${t.erasedAt} is not null`),
    // Messages of a conversation that are not erased yet, with their content.
    index("messages_kept_index")
      .on(t.conversationId, t.acceptSeq)
      .where(sql`${t.erasedAt} is null`),
    // The other messages of a conversation. Both indexes together cover all messages.
    index("messages_erased_index")
      .on(t.conversationId, t.acceptSeq)
      .where(sql`${t.erasedAt} is not null`),
    // What belongs to an earlier message, by that message. None of its columns changes with the state.
    index("messages_about_index")
      .on(t.conversationId, sql.raw(`(${ABOUT_TARGET})`), t.acceptSeq)
      .where(sql.raw(ABOUT_TYPES)),
    // Failed messages for staff, in order. A failure is identified by its code instead of the state, for the reason
    // given at `isQueued`.
    index("messages_failed_index")
      .on(t.organizationId, t.acceptSeq)
      .where(sql`${t.errorCode} is not null`),
    index("messages_error_code_index")
      .on(t.organizationId, t.errorCode, t.acceptSeq)
      .where(sql`${t.errorCode} is not null`),
    // Like the indexes of the queue, reserved by a second predicate for queries that contain it.
    index("messages_waiting_index")
      .on(t.organizationId, t.acceptSeq)
      .where(sql`${t.isQueued} and ${t.createdAt} < 'infinity'`),
    index("messages_unconfirmed_index")
      .on(t.organizationId, t.acceptSeq)
      .where(sql`${t.isQueued} and ${t.inDoubtSince} is not null and ${t.createdAt} < 'infinity'`),
    index("messages_resend_index")
      .on(t.resendOf)
      .where(sql`${t.resendOf} is not null`),
    index("messages_upload_index")
      .on(t.uploadId)
      .where(sql`${t.uploadId} is not null`),
    check("messages_kind_check", sql`${t.kind} in ('outbound', 'inbound', 'note')`),
    check("messages_state_check", sql`(${t.kind} = 'outbound') = (${t.state} is not null)`),
    check(
      "messages_client_message_id_check",
      sql`${t.clientMessageId} is null or (${t.kind} = 'outbound' and ${t.bodyFingerprint} is not null)`,
    ),
  ],
);

/** Events of a message after its acceptance, one row for each fact. Never changed, never removed. */
export const messageEvents = pgTable(
  "message_events",
  {
    organizationId: uuid().notNull(),
    messageId: uuid().notNull(),
    kind: text({ enum: ["sent", "delivered", "read", "failed", "retry", "uncertain"] }).notNull(),
    /**
     * Source of the fact: `attempt:<id>`, `callback:<wamid>`, `inferred:<source>`, `waypost:<error code>`. Unique
     * together with the kind.
     */
    sourceKey: text().notNull(),
    /** Gap-free per message. Null if the row changed no state (timeline only). */
    sequence: integer(),
    previousState: text({ enum: DELIVERY_STATES }),
    inferred: boolean().notNull().default(false),
    upstreamAt: time(),
    errorCode: text(),
    detail: jsonb().$type<Record<string, unknown>>(),
    createdAt: writtenAt(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.messageId],
      foreignColumns: [messages.organizationId, messages.id],
    }),
    // Changes of state by their time (read/list-changes.ts).
    index("message_events_changes_index")
      .on(t.organizationId, t.createdAt, t.messageId)
      .where(sql`${t.sequence} is not null`),
    primaryKey({ name: "message_events_pk", columns: [t.messageId, t.kind, t.sourceKey] }),
    uniqueIndex("message_events_sequence_unique")
      .on(t.messageId, t.sequence)
      .where(sql`${t.sequence} is not null`),
  ],
);

/** One call to the upstream. Its row is the permission to call, and exists before the call starts. */
export const messageAttempts = pgTable(
  "message_attempts",
  {
    id: id(),
    organizationId: uuid().notNull(),
    messageId: uuid().notNull(),
    channelId: uuid().notNull(),
    /** Null once the message is erased. */
    recipient: text(),
    startedAt: time().notNull().defaultNow(),
    /** An attempt that is still open afterwards is in doubt. */
    deadline: time().notNull(),
    finishedAt: time(),
    /** Null while the call runs. */
    outcome: text({ enum: ["accepted", "rejected", "retry", "uncertain"] }),
    httpStatus: integer(),
    upstreamCode: integer(),
    upstreamId: text(),
    detail: jsonb().$type<Record<string, unknown>>(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.messageId],
      foreignColumns: [messages.organizationId, messages.id],
    }),
    uniqueIndex("message_attempts_one_unsettled_unique")
      .on(t.messageId)
      .where(sql`${t.outcome} is null or ${t.outcome} in ('accepted', 'uncertain')`),
    index("message_attempts_open_index")
      .on(t.deadline)
      .where(sql`${t.outcome} is null`),
    index("message_attempts_uncertain_index")
      .on(t.channelId, t.recipient)
      .where(sql`${t.outcome} = 'uncertain'`),
    // The newest attempt of a channel. Not by the id, because PostgreSQL would read the id's own index through all
    // channels instead.
    index("message_attempts_accepted_index")
      .on(t.channelId, t.startedAt)
      .where(sql`${t.outcome} = 'accepted'`),
    // The other attempts of a message are found by the unique index.
    index("message_attempts_ended_index")
      .on(t.messageId)
      .where(sql`${t.outcome} in ('rejected', 'retry')`),
    check(
      "message_attempts_outcome_check",
      sql`${t.outcome} is null or ${t.outcome} in ('accepted', 'rejected', 'retry', 'uncertain')`,
    ),
  ],
);
