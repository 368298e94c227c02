import type { Executor, SqlFragment } from "@/db/client";
import type { DeliveryState } from "@/db/schema";
import type { InboundContent } from "@/server/adapters/whatsapp/inbound-content";
import { HANDLE_PATTERN } from "@/server/adapters/whatsapp/handles";
import type { Services } from "@/server/core/context";
import { partyOf } from "@/server/domain/contacts/names";
import { type MediaFacts, mediaFacts } from "@/server/domain/customer-files/media-facts";
import { CONTENT_FIELDS } from "./content-rules";
import type { Quote, SentContent } from "./conversation-schemas";
import { explainFailure, knownCode } from "./explain-failure";
import { quoteOf, receivedContent } from "./received-content";
import type { MessageOutput } from "./schemas";

/** The columns needed to show a message, of either direction. */
export interface ReadRow {
  readonly id: string;
  readonly kind: "outbound" | "inbound";
  readonly clientMessageId: string | null;
  readonly conversationId: string;
  readonly contactId: string;
  readonly channelId: string;
  readonly type: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly isErased: boolean;
  /** Of an outbound message: a number, or WhatsApp's id of the person; null once erased. */
  readonly recipient: string | null;
  /** Of an inbound message; null once erased. */
  readonly sender: Sender | null;
  /** The message that an inbound one names by WhatsApp's id, if it is known. */
  readonly quotedId: string | null;
  /** The stored file of an inbound message. */
  readonly file: MediaFacts | null;
  /** WhatsApp's id of the message that an outbound one names. */
  readonly quotedUpstreamId: string | null;
  readonly state: DeliveryState | null;
  readonly errorCode: string | null;
  readonly errorDetail: unknown;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly readAt: Date | null;
  readonly failedAt: Date | null;
}

interface Sender {
  readonly number: string | null;
  readonly userId: string | null;
}

/** The columns of `ReadRow`, of messages under the name `m` that are no notes. */
export function readColumns(sql: Executor): SqlFragment {
  return sql`m.id, m.kind, m.client_message_id as "clientMessageId", m.conversation_id as "conversationId",
    m.contact_id as "contactId", m.channel_id as "channelId", m.type, m.content, m.erased_at is not null as "isErased",
    m.recipient, ${senderOf(sql)} as sender, ${quotedIdOf(sql)} as "quotedId", ${quotedUpstreamIdOf(sql)} as "quotedUpstreamId",
    case when m.kind = 'inbound' and m.content ? 'media' then ${mediaFacts(sql)} end as file,
    m.state, m.error_code as "errorCode", m.error_detail as "errorDetail",
    m.created_at as "createdAt", m.sent_at as "sentAt", m.delivered_at as "deliveredAt", m.read_at as "readAt",
    m.failed_at as "failedAt"`;
}

/** SQL: WhatsApp's id of the message that the outbound message `m` quotes. */
export const quotedUpstreamIdOf = (sql: Executor): SqlFragment => sql`
  case when m.kind = 'outbound' and m.content ? 'reply_to' then (
    select q.upstream_id from messages q
    where q.id = (m.content->'reply_to'->>'message_id')::uuid and q.organization_id = m.organization_id) end`;

/** SQL: the message that the inbound message `m` quotes or reacts to. */
const quotedIdOf = (sql: Executor): SqlFragment => sql`
  case when m.kind = 'inbound' and (m.content ? 'reaction' or m.content ? 'reply_to') then (
    select q.id from messages q
    where q.channel_id = m.channel_id and q.organization_id = m.organization_id
      and q.upstream_id = coalesce(m.content->'reaction'->>'upstream_id', m.content->'reply_to'->>'upstream_id')) end`;

/** SQL: as the callback named the sender of `m`, or by the contact where the message came before names were stored. */
const senderOf = (sql: Executor): SqlFragment => sql`
  case when m.kind <> 'inbound' or m.erased_at is not null then null
    when m.sender_number is not null or m.sender_user_id is not null
      then json_build_object('number', m.sender_number, 'userId', m.sender_user_id)
    else (
      select json_build_object(
        'number', (array_agg(i.handle order by i.created_at, i.id) filter (where i.kind = 'whatsapp'))[1],
        'userId', (array_agg(i.handle order by i.created_at, i.id) filter (where i.kind = 'bsuid'))[1])
      from contacts k join contact_identities i
        on i.contact_id = coalesce(k.merged_into, k.id) and i.organization_id = k.organization_id
      where k.id = m.contact_id and k.organization_id = m.organization_id) end`;

/** A message as the public API shows it. */
export function readShape(row: ReadRow, { urls }: Pick<Services, "urls">): MessageOutput {
  return {
    message_id: row.id,
    client_message_id: row.clientMessageId,
    thread_id: row.conversationId,
    contact_id: row.contactId,
    channel_id: row.channelId,
    direction: row.kind,
    type: row.type,
    ...(row.kind === "inbound" ? inboundPart(row) : outboundPart(row)),
    delivery_state: row.state,
    error: row.errorCode === null ? null : errorShape(row.errorCode, row, urls),
    created_at: row.createdAt.toISOString(),
    sent_at: isoOrNull(row.sentAt),
    delivered_at: isoOrNull(row.deliveredAt),
    read_at: isoOrNull(row.readAt),
    failed_at: isoOrNull(row.failedAt),
  };
}

type DirectedPart = Pick<MessageOutput, "to" | "from" | "content" | "reply_to">;

function outboundPart({ recipient, content, isErased, quotedUpstreamId }: ReadRow): DirectedPart {
  const isNumber = recipient === null || HANDLE_PATTERN.test(recipient);
  const to = isNumber ? partyOf(recipient, null) : partyOf(null, recipient);
  if (isErased) return { to, from: null, content: null, reply_to: null };
  const fields = CONTENT_FIELDS.filter((field) => Object.hasOwn(content, field));
  const sent: SentContent = Object.fromEntries(fields.map((field) => [field, content[field]]));
  return { to, from: null, content: sent, reply_to: sentQuote(content, quotedUpstreamId) };
}

/** A request's `reply_to` names the message by Waypost's id. */
function sentQuote(content: ReadRow["content"], upstreamId: string | null): Quote | null {
  const { message_id: messageId }: { message_id?: unknown } = Object(content.reply_to);
  return typeof messageId === "string" ? { message_id: messageId, upstream_id: upstreamId } : null;
}

function inboundPart({ sender, content, type, isErased, quotedId, file }: ReadRow): DirectedPart {
  const from = partyOf(sender?.number ?? null, sender?.userId ?? null);
  if (isErased) return { to: null, from, content: null, reply_to: null };
  const stored: InboundContent = { type, ...content };
  const shown = receivedContent(stored, { quotedId, file });
  return { to: null, from, content: shown, reply_to: quoteOf(stored, quotedId) };
}

function isoOrNull(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}

function errorShape(
  code: string,
  { errorDetail, failedAt }: ReadRow,
  urls: Services["urls"],
): NonNullable<MessageOutput["error"]> {
  const { message, resend, resendAfter, upstream } = explainFailure({
    errorCode: code,
    errorDetail,
    failedAt,
  });
  const resend_after = isoOrNull(resendAfter);
  return { code, message, resend, resend_after, doc_url: urls.documentation(knownCode(code)), upstream };
}
