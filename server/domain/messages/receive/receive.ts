import type { InboundMessage } from "@/server/adapters/whatsapp/reports";
import type { TransactionSql } from "@/db/client";
import { retryOnConflict } from "@/db/errors";
import { newId } from "@/db/schema";
import { applyNameChange, recordNamesSeen } from "@/server/domain/contacts/change-names";
import { ensureConversationIn, ensurePersonIn } from "@/server/domain/contacts/ensure";
import { expectFileIn } from "@/server/domain/customer-files/expect";
import type { Person } from "@/server/adapters/whatsapp/person";
import type { Context } from "@/server/core/context";
import type { ReceivedEventData } from "@/server/domain/webhooks/events/event-schemas";
import { partyOf } from "@/server/domain/contacts/names";
import { quotedUpstreamId, quoteOf, receivedContent } from "../model/received-content";
import { decideByWord } from "./decide-by-word";
import { notifyEndpoints, storeEvents } from "@/server/domain/webhooks/outbox/store-events";

export interface ReceiveMessageInput extends InboundMessage {
  readonly channelId: string;
}

interface ReceivedMessage {
  readonly messageId: string;
  readonly contactId: string;
  readonly conversationId: string;
  /** A repeat of an erased message: nothing of it is stored. */
  readonly isErased: boolean;
}

/** Further changes that storing a message requires. */
interface SideEffects {
  /** Kinds of names that belong to several contacts. */
  readonly conflicts: readonly string[];
  /** Webhook endpoints to notify. */
  readonly endpointIds: readonly string[];
  /** The file to fetch. Null if the message has none. */
  readonly fileId: string | null;
}

/** Facts that the inserting statement returns. */
interface Inserted {
  readonly id: string;
  readonly receivedAt: Date;
  readonly acceptSeq: number;
  readonly quotedId: string | null;
  readonly hasWebhooks: boolean;
}

const NO_NEWS: SideEffects = { conflicts: [], endpointIds: [], fileId: null };

/** Aborts the transaction of a message that is already erased, so that its sender doesn't become a contact again. */
class AlreadyErased extends Error {
  constructor(readonly received: ReceivedMessage) {
    super("The message came before, and was erased");
  }
}

/**
 * Stores an inbound message: creates contact and conversation if they are new, stores every name of the person, opens
 * the customer window, makes its file due to be fetched, and stores the decision of an opt-out or opt-in word. A number
 * that the upstream had refused counts as valid again. Idempotent by `upstreamId`. The conversation keeps its status
 * and assignee.
 */
export async function receiveMessage(args: {
  ctx: Context;
  input: ReceiveMessageInput;
}): Promise<ReceivedMessage> {
  const { ctx, input } = args;
  const { organizationId } = ctx.actor;
  const { conflicts, endpointIds, fileId, ...received } = await retryOnConflict(() =>
    ctx.services.sql.begin((tx) => receiveIn(tx, organizationId, input)),
  ).catch((error: unknown) => {
    if (error instanceof AlreadyErased) return { ...error.received, ...NO_NEWS };
    throw error;
  });
  notifyEndpoints(ctx.services, endpointIds);
  if (fileId !== null) ctx.services.jobs.notifyFile(fileId);
  if (conflicts.length > 0) {
    ctx.services.log.warn(
      { contactId: received.contactId, kinds: conflicts },
      "the identifiers of a callback belong to several contacts with different numbers: they are not merged",
    );
  }
  return received;
}

/** The same for a text from a number. */
export async function receiveText(args: {
  ctx: Context;
  input: {
    readonly channelId: string;
    /** E.164 without the plus sign. */
    readonly from: string;
    readonly profileName: string | null;
    readonly upstreamId: string;
    readonly body: string;
    readonly at: Date;
  };
}): Promise<ReceivedMessage> {
  const { from, body, ...input } = args.input;
  const person = { number: from, userId: null, parentUserId: null };
  const content = { type: "text", text: { body } };
  return receiveMessage({
    ctx: args.ctx,
    input: { ...input, from: person, content, opensWindow: true, becomes: null },
  });
}

async function receiveIn(
  tx: TransactionSql,
  organizationId: string,
  input: ReceiveMessageInput,
): Promise<ReceivedMessage & SideEffects> {
  const { from: person, becomes, channelId, profileName: name, at } = input;
  const [{ contactId, conflicts, previous, endpointIds: notified }] = await Promise.all([
    ensurePersonIn(tx, organizationId, { person, name, at, becomes }),
    // Commits without waiting for the disk: after a crash of PostgreSQL, the raw callback, stored durably, is applied
    // again.
    tx`select set_config('synchronous_commit', 'off', true)`,
  ]);
  const { conversationId } = await ensureConversationIn(tx, organizationId, contactId, channelId);
  const inserted = await insertMessage(tx, { organizationId, contactId, conversationId }, input);
  if (!inserted) {
    const earlier = await findByUpstreamId(tx, organizationId, input);
    if (earlier.isErased) throw new AlreadyErased(earlier);
    return {
      ...NO_NEWS,
      messageId: earlier.messageId,
      contactId,
      conversationId,
      isErased: false,
      conflicts,
      endpointIds: notified,
    };
  }
  await nameContact(tx, organizationId, contactId, name);
  const { id: messageId, receivedAt, quotedId } = inserted;
  await noteActivity(tx, organizationId, { ...inserted, contactId, conversationId }, input);
  const received = { organizationId, messageId, contactId, conversationId, receivedAt, quotedId };
  const announced = inserted.hasWebhooks ? await announceReceived(tx, received, input) : [];
  const fileId = await expectFileIn(tx, { organizationId, messageId, ...input });
  const decided = await decideByWord(tx, received, input);
  const renamed = await markNames(tx, received, input, previous);
  return {
    messageId,
    contactId,
    conversationId,
    isErased: false,
    conflicts: [...conflicts, ...renamed.conflicts],
    endpointIds: [...notified, ...announced, ...decided, ...renamed.endpointIds],
    fileId,
  };
}

/** The person's names become current: the new ones, if WhatsApp reports a change, else those of the message. */
async function markNames(
  tx: TransactionSql,
  { organizationId, contactId }: Received,
  { from: person, becomes, at }: ReceiveMessageInput,
  previous: Person | null,
): Promise<Omit<SideEffects, "fileId">> {
  const reported = { contactId, at };
  if (becomes) {
    const change = { previous: person, now: becomes, before: previous };
    return applyNameChange(tx, organizationId, reported, change);
  }
  const endpointIds = await recordNamesSeen(tx, organizationId, reported, { person, previous });
  return { endpointIds, conflicts: [] };
}

/** Null if the message was stored before. */
async function insertMessage(
  tx: TransactionSql,
  place: { organizationId: string; contactId: string; conversationId: string },
  { channelId, from, content, upstreamId, at }: ReceiveMessageInput,
): Promise<Inserted | null> {
  const { organizationId, contactId, conversationId } = place;
  const [inserted] = await tx<Inserted[]>`
    insert into messages (id, organization_id, conversation_id, contact_id, channel_id, kind, type, content,
                          sender_number, sender_user_id, upstream_at, upstream_id, created_at)
    values (${newId()}, ${organizationId}, ${conversationId}, ${contactId}, ${channelId}, 'inbound',
            ${content.type}, ${JSON.stringify(content)}::text::jsonb, ${from.number}, ${from.userId},
            ${at}, ${upstreamId}, clock_timestamp())
    on conflict (channel_id, upstream_id) where upstream_id is not null do nothing
    returning id, created_at as "receivedAt", accept_seq as "acceptSeq",
      (select q.id from messages q where q.channel_id = ${channelId} and q.organization_id = ${organizationId}
        and q.upstream_id = ${quotedUpstreamId(content)}) as "quotedId",
      exists (select from webhook_endpoints w
      where w.organization_id = ${organizationId} and w.deleted_at is null) as "hasWebhooks"`;
  return inserted ?? null;
}

async function nameContact(
  tx: TransactionSql,
  organizationId: string,
  contactId: string,
  name: string | null,
): Promise<void> {
  if (name === null) return;
  await tx`
    update contacts set name = ${name}
    where organization_id = ${organizationId} and id = ${contactId} and name is null`;
}

/**
 * Notes the message as the conversation's latest, and opens the customer window. WhatsApp gives times in whole seconds,
 * rounded down: within one second, the customer's message counts as the later event.
 */
async function noteActivity(
  tx: TransactionSql,
  organizationId: string,
  wrote: { contactId: string; conversationId: string; receivedAt: Date; acceptSeq: number },
  { opensWindow, at }: ReceiveMessageInput,
): Promise<void> {
  const { contactId, conversationId, receivedAt, acceptSeq } = wrote;
  const latest = tx`
    last_message_at = case when last_activity_seq < ${acceptSeq}::bigint then ${receivedAt}::timestamptz else last_message_at end,
    last_activity_seq = greatest(last_activity_seq, ${acceptSeq}::bigint)`;
  if (!opensWindow) {
    await tx`
      update conversations set ${latest} where organization_id = ${organizationId} and id = ${conversationId}`;
    return;
  }
  await Promise.all([
    tx`
      update conversations set ${latest}, last_inbound_at = greatest(last_inbound_at, least(${at}::timestamptz, now())),
        window_closed_at = case when window_closed_at >= ${at}::timestamptz + interval '1 second'
          then window_closed_at end
      where organization_id = ${organizationId} and id = ${conversationId}`,
    tx`
      update contact_identities set refused_at = null
      where organization_id = ${organizationId} and contact_id = ${contactId}
        and refused_at < ${at}::timestamptz + interval '1 second'`,
  ]);
}

async function findByUpstreamId(
  tx: TransactionSql,
  organizationId: string,
  input: ReceiveMessageInput,
): Promise<ReceivedMessage> {
  const [row] = await tx<ReceivedMessage[]>`
    select id as "messageId", contact_id as "contactId", conversation_id as "conversationId",
      erased_at is not null as "isErased"
    from messages
    where organization_id = ${organizationId} and channel_id = ${input.channelId} and upstream_id = ${input.upstreamId}`;
  if (!row) throw new Error("The message vanished between insert and read");
  return row;
}

/** A customer's message that was just stored. */
interface Received {
  readonly organizationId: string;
  readonly messageId: string;
  readonly contactId: string;
  readonly conversationId: string;
  readonly receivedAt: Date;
  /** The message that it quotes or reacts to, if it is known. */
  readonly quotedId: string | null;
}

/**
 * Stores the webhook event for an inbound message, in the message's transaction.
 * @returns endpoints to notify after the commit.
 */
function announceReceived(
  tx: TransactionSql,
  received: Received,
  { channelId, from, profileName, content, at }: ReceiveMessageInput,
): Promise<readonly string[]> {
  const { organizationId, messageId, contactId, conversationId, receivedAt, quotedId } = received;
  const data: ReceivedEventData = {
    message_id: messageId,
    thread_id: conversationId,
    contact_id: contactId,
    channel_id: channelId,
    direction: "inbound",
    type: content.type,
    to: null,
    from: { ...partyOf(from.number, from.userId), name: profileName },
    content: receivedContent(content, { quotedId, file: null }),
    reply_to: quoteOf(content, quotedId),
    written_at: at.toISOString(),
    received_at: receivedAt.toISOString(),
  };
  const subject = { kind: "message", messageId, channelId } as const;
  const event = { organizationId, type: "message.received", subject, sequence: null } as const;
  return storeEvents(tx, [{ ...event, at: receivedAt, data }]);
}
