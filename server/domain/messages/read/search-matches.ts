import type { SqlFragment } from "@/db/client";
import { CONTACTS_MAX, findIdentitiesNamed } from "@/server/domain/contacts/find-named";
import type { Context } from "@/server/core/context";
import { isUuid } from "@/server/lib/uuid";

/** The possible meanings of a search text. */
export const MATCH_KINDS = [
  "message_id",
  "client_message_id",
  "request_id",
  "wamid",
  "number",
  "whatsapp_user_id",
  "contact_id",
  "thread_id",
] as const;
export type MatchKind = (typeof MATCH_KINDS)[number];

/**
 * Tolerated backward step of the clock. Both ids start with a time from the same process: the message's follows soon
 * after its request's.
 */
const CLOCK_SET_BACK_MS = 1_000;
const REQUEST_MS_MAX = 60_000;
/** Maximum messages examined, of the organization's messages of that time. */
const EXAMINED_MAX = 20_000;

const TIME_DIGITS = 12;
const VERSION_AT = 14;

/** The matches of a search text, which can mean several things. */
export interface Matches {
  /** Single messages, by id. */
  readonly messages: ReadonlyMap<string, MatchKind>;
  /** Conversations whose messages all match, by id. */
  readonly conversations: ReadonlyMap<string, MatchKind>;
  /** Whether more contacts match than are examined. */
  readonly isCut: boolean;
}

/**
 * Finds matches of the typed text: the id of a message, of its request, of a contact or a conversation, the client's or
 * WhatsApp's id, or a number in any spelling. Each kind costs one or two index lookups.
 * @param by restricts it to this kind, whatever else the text can be.
 */
export async function findMatches(ctx: Context, typed: string, by?: MatchKind): Promise<Matches> {
  const isMeant = ({ kind }: { kind: MatchKind }) => by === undefined || kind === by;
  const text = typed.trim();
  const [single, byRequest, identities] = await Promise.all([
    singleMessages(ctx, typed, text),
    findMessageByRequest(ctx, text),
    findIdentitiesNamed(ctx, text),
  ]);
  const messages = new Map<string, MatchKind>(single.filter(isMeant).map(({ id, kind }) => [id, kind]));
  if (byRequest !== null && isMeant({ kind: "request_id" })) messages.set(byRequest, "request_id");
  const contacts = new Map<string, MatchKind>(identities.map(({ contactId, kind }) => [contactId, kind]));
  const found = await conversationsOf(ctx, [...contacts].slice(0, CONTACTS_MAX), uuidOrNull(text));
  return {
    messages,
    conversations: new Map(found.filter(isMeant).map(({ id, kind }) => [id, kind])),
    isCut: contacts.size > CONTACTS_MAX,
  };
}

/**
 * Finds the message that was accepted from a request, by its `X-Request-Id`; null if there is none, as for a refusal or
 * a repeat. Searches the messages of that minute: an index would cost every message, and this search is rare.
 */
async function findMessageByRequest(ctx: Context, requestId: string): Promise<string | null> {
  const madeAtMs = isUuid(requestId) ? timeOf(requestId) : null;
  if (madeAtMs === null) return null;
  const [found] = await ctx.services.sql<{ id: string }[]>`
    select id from (
      select id, request_id from messages
      where organization_id = ${ctx.actor.organizationId}
        and id >= ${firstIdOf(madeAtMs - CLOCK_SET_BACK_MS)} and id < ${firstIdOf(madeAtMs + REQUEST_MS_MAX)}
      order by id limit ${EXAMINED_MAX}) m
    where request_id = ${requestId.toLowerCase()} limit 1`;
  return found?.id ?? null;
}

/** Returns the Unix milliseconds of a UUIDv7; null for another UUID. */
function timeOf(id: string): number | null {
  if (id[VERSION_AT] !== "7") return null;
  return Number.parseInt(id.replaceAll("-", "").slice(0, TIME_DIGITS), 16);
}

/** The smallest id of that millisecond. */
function firstIdOf(timeMs: number): string {
  const time = Math.max(timeMs, 0).toString(16).padStart(TIME_DIGITS, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

const uuidOrNull = (text: string): string | null => (isUuid(text) ? text.toLowerCase() : null);

/** Ids are matched without surrounding white space, which is often copied along; a client's own id may contain some. */
function singleMessages({ services, actor }: Context, typed: string, text: string) {
  const { sql } = services;
  const { organizationId } = actor;
  return sql<{ id: string; kind: MatchKind }[]>`
    select 'message_id' as kind, m.id from messages m
    where m.id = ${uuidOrNull(text)}::uuid and m.organization_id = ${organizationId} and m.kind = 'outbound'
    union all
    select 'client_message_id', m.id from messages m
    where m.client_message_id = any(${[...new Set([typed, text])]}::text[]) and m.organization_id = ${organizationId}
    union all
    select 'wamid', m.id from channels c
    join messages m on m.channel_id = c.id and m.upstream_id = ${text} and m.upstream_id is not null
    where c.organization_id = ${organizationId} and m.organization_id = ${organizationId} and m.kind = 'outbound'`;
}

/** Returns all conversations of the contacts, including merged ones; or of the contact or conversation with this id. */
function conversationsOf(
  { services, actor }: Context,
  contacts: readonly (readonly [string, MatchKind])[],
  id: string | null,
) {
  const { sql } = services;
  const { organizationId } = actor;
  const family = (of: SqlFragment): SqlFragment => sql`
    select k.id from contacts k where k.organization_id = ${organizationId} and k.id = ${of}
    union all
    select k.id from contacts k where k.organization_id = ${organizationId} and k.merged_into = ${of}`;
  return sql<{ id: string; kind: MatchKind }[]>`
    with named as (
      select coalesce(k.merged_into, k.id) as id, n.kind
      from (
        select * from unnest(${contacts.map(([contactId]) => contactId)}::uuid[], ${contacts.map(([, kind]) => kind)}::text[])
          as given (id, kind)
        union all select ${id}::uuid, 'contact_id') n
      join contacts k on k.id = n.id and k.organization_id = ${organizationId})
    select v.id, n.kind from named n cross join lateral (${family(sql`n.id`)}) f
    join conversations v on v.contact_id = f.id and v.organization_id = ${organizationId}
    union all
    select v.id, 'thread_id' from conversations v where v.id = ${id}::uuid and v.organization_id = ${organizationId}`;
}
