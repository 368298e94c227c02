import type { DeliveryState } from "@/db/schema";
import { createBatcher } from "../batch";
import { canonicalHandle } from "../contacts/canonical";
import { perServices, type Services } from "../context";

interface FactsQuery {
  readonly organizationId: string;
  readonly clientMessageId: string;
  readonly threadId: string | null;
  readonly handle: string | null;
}

/** A message that has the request's `client_message_id` already. */
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
  /** A contact who never wrote counts as inside the window (a number already in use, its first 24 hours). */
  readonly unknownWindowOpen: boolean;
}

export interface ConversationFact {
  readonly id: string;
  readonly contactId: string;
  readonly channelId: string;
  readonly lastInboundAt: string | null;
  readonly windowOpen: boolean;
}

export interface ThreadFact extends ConversationFact {
  /** The contact's number; null once erased. */
  readonly recipient: string | null;
}

export interface ContactFact {
  readonly id: string;
  /** Written forms under which it is known, oldest first. */
  readonly handles: readonly string[];
  readonly conversations: readonly ConversationFact[];
}

/** Everything that POST /messages decides on, as of one statement. */
export interface SendFacts {
  readonly earlier: EarlierMessage | null;
  /** Enabled channels of the organization, oldest first. */
  readonly channels: readonly ChannelFact[];
  readonly thread: ThreadFact | null;
  /** Contacts that the number's written forms belong to. */
  readonly contacts: readonly ContactFact[];
}

const BATCH_MAX = 64;
const IN_FLIGHT_MAX = 1;

const batcherOf = perServices((services) =>
  createBatcher<FactsQuery, SendFacts>({
    run: (queries) => readBatch(services, queries),
    itemsMax: BATCH_MAX,
    inFlightMax: IN_FLIGHT_MAX,
  }),
);

/** Reads the facts in one round trip, together with what other requests ask for at the same time. */
export function readSendFacts(services: Services, query: FactsQuery): Promise<SendFacts> {
  return batcherOf(services)(query);
}

/** A repeat of a message that waits, untouched, since more than this is put into the queue again (spec section 4.4). */
const STALE_AFTER = "60 seconds";

async function readBatch(services: Services, queries: readonly FactsQuery[]): Promise<SendFacts[]> {
  const rows = await services.sql<SendFacts[]>`
    select
      (select jsonb_build_object(
          'messageId', m.id, 'threadId', m.conversation_id, 'contactId', m.contact_id, 'channelId', m.channel_id,
          'state', m.state, 'fingerprintHex', encode(m.body_fingerprint, 'hex'), 'content', m.content,
          'isStale', m.state = 'queued' and m.claim_token is null and m.in_doubt_since is null
            and m.next_attempt_at <= now() and m.enqueued_at < now() - ${STALE_AFTER}::interval)
        from messages m
        where m.organization_id = q.organization_id and m.client_message_id = q.client_message_id) as earlier,
      (select coalesce(jsonb_agg(jsonb_build_object(
          'id', c.id, 'isDefault', c.is_default,
          'unknownWindowOpen', coalesce(c.unknown_window_open_until > now(), false))
          order by c.created_at, c.id), '[]')
        from channels c where c.organization_id = q.organization_id and c.disabled_at is null) as channels,
      (select jsonb_build_object(
          'id', v.id, 'contactId', v.contact_id, 'channelId', v.channel_id, 'lastInboundAt', v.last_inbound_at,
          'windowOpen', coalesce(v.last_inbound_at > now() - interval '24 hours', false),
          'recipient', (select i.handle from contact_identities i
            where i.organization_id = v.organization_id and i.contact_id = v.contact_id and i.kind = 'whatsapp'
            order by i.created_at, i.id limit 1))
        from conversations v where v.organization_id = q.organization_id and v.id = q.thread_id) as thread,
      (select coalesce(jsonb_agg(jsonb_build_object('id', k.contact_id, 'handles', k.handles, 'conversations',
          (select coalesce(jsonb_agg(jsonb_build_object(
              'id', v.id, 'contactId', v.contact_id, 'channelId', v.channel_id, 'lastInboundAt', v.last_inbound_at,
              'windowOpen', coalesce(v.last_inbound_at > now() - interval '24 hours', false))), '[]')
            from conversations v
            where v.organization_id = q.organization_id and v.contact_id = k.contact_id))), '[]')
        from (select i.contact_id, jsonb_agg(i.handle order by i.created_at, i.id) as handles
            from contact_identities i
            where i.organization_id = q.organization_id and i.kind = 'whatsapp' and i.canonical = q.canonical
            group by i.contact_id) k) as contacts
    from unnest(
      ${queries.map((query) => query.organizationId)}::uuid[], ${queries.map((query) => query.clientMessageId)}::text[],
      ${queries.map((query) => query.threadId)}::uuid[],
      ${queries.map((query) => (query.handle === null ? null : canonicalHandle(query.handle)))}::text[]
    ) with ordinality as q (organization_id, client_message_id, thread_id, canonical, position)
    order by q.position`;
  return [...rows];
}
