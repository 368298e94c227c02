import type { Sql, SqlFragment } from "@/db/client";
import type { DeliveryState, TemplateState } from "@/db/schema";
import { createBatcher } from "@/server/lib/batch";
import type { Identity } from "@/server/adapters/whatsapp/person";
import { perServices, type Services } from "@/server/core/context";
import { currentFirst } from "@/server/domain/contacts/current-names";
import { unknownWindowOpen, windowDenied, windowOpen } from "@/server/domain/conversations/customer-window";
import { continuedIn } from "@/server/domain/conversations/thread";

/** A repeat of a message that has been waiting untouched for longer is requeued. */
const STALE_AFTER = "60 seconds";

interface FactsQuery {
  readonly organizationId: string;
  readonly clientMessageId: string;
  readonly threadId: string | null;
  /** The recipient in `to`: a number, or WhatsApp's id of a person. */
  readonly recipient: Identity | null;
  /** Ids of the messages that the request refers to: the quoted one, and the one that it reacts to. */
  readonly quotedId: string | null;
  readonly reactedId: string | null;
  /** By id if there is one, else by name and language. */
  readonly template: {
    readonly id: string | null;
    readonly name: string | null;
    readonly language: string | null;
  } | null;
  readonly storageKey: string | null;
}

/** A stored message with the request's `client_message_id`. */
export interface EarlierMessage {
  readonly messageId: string;
  readonly threadId: string;
  readonly contactId: string;
  readonly channelId: string;
  readonly state: DeliveryState;
  readonly fingerprintHex: string;
  readonly content: Record<string, unknown>;
  readonly isStale: boolean;
}

export interface ChannelFact {
  readonly id: string;
  readonly isDefault: boolean;
  /**
   * A contact without a conversation counts as inside the window (a number already in use, during its first 24 hours).
   */
  readonly unknownWindowOpen: boolean;
}

export interface ConversationFact {
  readonly id: string;
  readonly contactId: string;
  readonly channelId: string;
  readonly lastInboundAt: string | null;
  readonly windowOpen: boolean;
  /**
   * The upstream reported the window as closed, and the customer hasn't written since. Also applies if nobody wrote.
   */
  readonly windowDenied: boolean;
}

export interface RecipientFact {
  /** A number, or WhatsApp's id of a person whose number isn't known. */
  readonly handle: string;
  /** Set while the upstream's report that nothing can be delivered there is believed. */
  readonly refusedUntil: string | null;
}

export interface ThreadFact extends ConversationFact {
  /** The contact's number, else WhatsApp's id of the person, even if merged; null once erased. */
  readonly recipient: RecipientFact | null;
  /** The person wants no marketing messages. */
  readonly isOptedOut: boolean;
}

export interface ContactFact {
  readonly id: string;
  /** The person wants no marketing messages. */
  readonly isOptedOut: boolean;
  /** The stored written forms of the requested name, oldest first. */
  readonly names: readonly RecipientFact[];
  readonly conversations: readonly ConversationFact[];
}

export interface TemplateFact {
  readonly id: string;
  readonly channelId: string;
  readonly name: string;
  readonly language: string;
  readonly state: TemplateState;
  /** WhatsApp's category in lower case; null if it gives none. */
  readonly category: string | null;
  /** Names of the values that a message must provide. */
  readonly variables: readonly string[];
}

export interface UploadFact {
  readonly id: string;
  /** As detected from its bytes. */
  readonly mimeType: string;
  /** In bytes. */
  readonly size: number;
}

/** A message that the request refers to. Notes are not among them. */
export interface ReferencedFact {
  readonly id: string;
  /** Of the person, if its contact was merged into another one. */
  readonly conversationId: string;
  readonly type: string;
  /** Null for a customer's message. */
  readonly state: DeliveryState | null;
  /** WhatsApp shows no reaction to it any more. */
  readonly isTooOldForReaction: boolean;
}

/**
 * All facts that POST /messages needs for its decisions, from one statement. For a repeat, only the earlier message.
 */
export type SendFacts = { readonly earlier: EarlierMessage } | NewMessageFacts;

export interface NewMessageFacts {
  readonly earlier: null;
  /** Enabled channels of the organization, oldest first. */
  readonly channels: readonly ChannelFact[];
  readonly thread: ThreadFact | null;
  /** Contacts with the requested number in any written form, or with the requested id. */
  readonly contacts: readonly ContactFact[];
  /** The requested ones, on any channel of the organization. */
  readonly templates: readonly TemplateFact[];
  /** The requested file, unless it has expired. */
  readonly upload: UploadFact | null;
  /** The messages that the request refers to, as far as the organization has them. */
  readonly referenced: readonly ReferencedFact[];
}

const BATCH_MAX = 64;
const IN_FLIGHT_MAX = 1;

const batcherOf = perServices((services) =>
  createBatcher<FactsQuery, SendFacts>({
    run: (queries) => readBatch(services, queries),
    itemsMax: BATCH_MAX,
    inFlightMax: IN_FLIGHT_MAX,
    gathered: services.load.batchSize,
  }),
);

/** Reads the facts in one round trip, batched with concurrent requests. */
export function readSendFacts(services: Services, query: FactsQuery): Promise<SendFacts> {
  return batcherOf(services)(query);
}

/** WhatsApp shows no reaction to an older message. */
const REACTED_WITHIN = "30 days";
/** How long the upstream's report that a number isn't on WhatsApp is believed. */
const REFUSED_FOR = "24 hours";

type Field = (query: FactsQuery) => string | null;

async function readBatch(services: Services, queries: readonly FactsQuery[]): Promise<SendFacts[]> {
  const { sql } = services;
  // Each array in its own select, which hides its length from the planner: otherwise it would plan small ones again
  // each time, at five times the cost of the statement itself.
  const uuids = (field: Field) => sql`(select ${queries.map(field)}::uuid[])`;
  const texts = (field: Field) => sql`(select ${queries.map(field)}::text[])`;
  const rows = await sql<SendFacts[]>`
    select ${earlier(sql)} as earlier, ${ifNew(sql, channelsOf(sql))} as channels,
      ${ifNew(sql, threadOf(sql))} as thread, ${ifNew(sql, contactsOf(sql))} as contacts,
      ${ifNew(sql, templatesOf(sql))} as templates, ${ifNew(sql, uploadOf(sql))} as upload,
      ${ifNew(sql, referencedOf(sql))} as referenced
    from unnest(
      ${uuids((query) => query.organizationId)}, ${texts((query) => query.clientMessageId)},
      ${uuids((query) => query.threadId)},
      ${texts(({ recipient }) => recipient?.kind ?? null)}, ${texts(({ recipient }) => recipient?.canonical ?? null)},
      ${uuids(({ template }) => template?.id ?? null)}, ${texts(({ template }) => template?.name ?? null)},
      ${texts(({ template }) => template?.language ?? null)}, ${texts((query) => query.storageKey)},
      ${uuids((query) => query.quotedId)}, ${uuids((query) => query.reactedId)}
    ) with ordinality as q (organization_id, client_message_id, thread_id, name_kind, canonical, template_id,
      template_name, template_language, storage_key, quoted_id, reacted_id, position)
    left join messages m on m.organization_id = q.organization_id and m.client_message_id = q.client_message_id
    order by q.position`;
  return [...rows];
}

// Each fact is one column of that statement, for the request in row q and its earlier message in m. As json, which
// PostgreSQL writes directly; jsonb is built first and costs a third more.

const ifNew = (sql: Sql, fact: SqlFragment) => sql`case when m.id is null then ${fact} end`;

const earlier = (sql: Sql) => sql`
  case when m.id is not null then json_build_object(
      'messageId', m.id, 'threadId', m.conversation_id, 'contactId', m.contact_id, 'channelId', m.channel_id,
      'state', m.state, 'fingerprintHex', encode(m.body_fingerprint, 'hex'), 'content', m.content,
      'isStale', ${isStale(sql)}) end`;

const channelsOf = (sql: Sql) => sql`
  (select coalesce(json_agg(json_build_object(
      'id', c.id, 'isDefault', c.is_default,
      'unknownWindowOpen', ${unknownWindowOpen(sql)})
      order by c.created_at, c.id), '[]')
    from channels c where c.organization_id = q.organization_id and c.disabled_at is null)`;

const conversationFields = (sql: Sql) => sql`
  'id', v.id, 'contactId', v.contact_id, 'channelId', v.channel_id, 'lastInboundAt', v.last_inbound_at,
  'windowOpen', (select ${windowOpen(sql)} from channels c
    where c.organization_id = v.organization_id and c.id = v.channel_id),
  'windowDenied', ${windowDenied(sql)}`;

/** SQL: until when the identity `i` counts as unreachable. Null if it doesn't. */
export const refusedUntil = (sql: Sql) => sql`
  case when i.refused_at > now() - ${REFUSED_FOR}::interval then i.refused_at + ${REFUSED_FOR}::interval end`;

/**
 * SQL: the expression for the identity `i` that messages to the contact `k` go to: the current number, else WhatsApp's
 * current id of the person.
 */
export const ofRecipient = (sql: Sql, expression: SqlFragment) => sql`
  (select ${expression} from contact_identities i
    where i.organization_id = k.organization_id and i.contact_id = coalesce(k.merged_into, k.id)
      and i.kind in ('whatsapp', 'bsuid')
    order by i.kind = 'whatsapp' desc, ${currentFirst(sql)} limit 1)`;

const recipientObject = (sql: Sql) => sql`
  json_build_object('handle', i.handle, 'refusedUntil', ${refusedUntil(sql)})`;

const isOptedOut = (sql: Sql, contactId: SqlFragment) => sql`
  (select c.marketing_opted_out_at is not null from contacts c
    where c.organization_id = q.organization_id and c.id = ${contactId})`;

/** A thread that stayed with a merged contact leads to the person's thread on that channel. */
const threadOf = (sql: Sql) => sql`
  (select json_build_object(${conversationFields(sql)}, 'recipient', ${ofRecipient(sql, recipientObject(sql))},
      'isOptedOut', ${isOptedOut(sql, sql`coalesce(k.merged_into, k.id)`)})
    from conversations asked join contacts k on k.organization_id = asked.organization_id and k.id = asked.contact_id
    join conversations v on v.organization_id = asked.organization_id and v.id = coalesce(
      ${continuedIn(sql, sql`asked`)}, asked.id)
    where asked.organization_id = q.organization_id and asked.id = q.thread_id)`;

const contactsOf = (sql: Sql) => sql`
  (select coalesce(json_agg(json_build_object('id', k.contact_id, 'names', k.names,
      'isOptedOut', ${isOptedOut(sql, sql`k.contact_id`)}, 'conversations',
      (select coalesce(json_agg(json_build_object(${conversationFields(sql)})), '[]')
        from conversations v
        where v.organization_id = q.organization_id and v.contact_id = k.contact_id))), '[]')
    from (select i.contact_id, json_agg(${recipientObject(sql)} order by i.created_at, i.id) as names
        from contact_identities i
        where i.organization_id = q.organization_id and i.kind = q.name_kind and i.canonical = q.canonical
        group by i.contact_id) k)`;

const templateObject = (sql: Sql) => sql`
  json_build_object('id', t.id, 'channelId', t.channel_id, 'name', t.name, 'language', t.language,
    'state', t.state, 'category', t.category, 'variables', t.variables)`;

/** By name via the channels, because the index on names starts with the channel. */
const templatesOf = (sql: Sql) => sql`
  case when q.template_id is not null then
      (select coalesce(json_agg(${templateObject(sql)}), '[]') from templates t
        where t.organization_id = q.organization_id and t.id = q.template_id)
    when q.template_name is not null then
      (select coalesce(json_agg(${templateObject(sql)}), '[]')
        from channels c join templates t on t.channel_id = c.id and t.organization_id = c.organization_id
        where c.organization_id = q.organization_id
          and t.name = q.template_name and t.language = q.template_language)
    else '[]' end`;

const uploadOf = (sql: Sql) => sql`
  (select json_build_object('id', u.id, 'mimeType', u.mime_type, 'size', u.size)
    from uploads u
    where u.storage_key = q.storage_key and u.organization_id = q.organization_id
      and u.erased_at is null and u.expires_at > now())`;

/** A conversation that stayed with a merged contact counts as the person's on that channel, as in `threadOf`. */
const referencedOf = (sql: Sql) => sql`
  case when q.quoted_id is null and q.reacted_id is null then '[]' else
    (select coalesce(json_agg(json_build_object('id', r.id, 'type', r.type, 'state', r.state,
        'isTooOldForReaction', r.created_at < now() - ${REACTED_WITHIN}::interval,
        'conversationId', coalesce(
          ${continuedIn(sql)}, v.id))), '[]')
      from messages r
      join conversations v on v.organization_id = r.organization_id and v.id = r.conversation_id
      join contacts k on k.organization_id = v.organization_id and k.id = v.contact_id
      where r.id in (q.quoted_id, q.reacted_id) and r.organization_id = q.organization_id and r.kind <> 'note') end`;

/** SQL: whether the row `m` of messages is stale. */
export const isStale = (sql: Sql) => sql`
  (m.is_queued and m.claim_token is null and m.in_doubt_since is null
    and m.next_attempt_at <= now() and m.enqueued_at < now() - ${STALE_AFTER}::interval)`;
