import type { SqlFragment } from "@/db/client";
import type { Context } from "@/server/core/context";
import { isUuid } from "@/server/lib/uuid";
import { REFUSED_KEPT_DAYS } from "./days";
import { findRecipient, type Recipient } from "./find-recipient";
import { hashArray } from "@/server/domain/contacts/recipient-hash";
import type { RefusalFilter } from "./schemas";
import type { RefusedRow } from "./view";

/** The position of a request in the order of the list. */
export interface Position {
  readonly refusedAt: Date;
  readonly id: string;
}

export interface PageOfRows {
  readonly rows: readonly RefusedRow[];
  /** The position that the next page starts after; null on the last page. */
  readonly next: Position | null;
  /** The recipients that the filter names; null without such a filter. */
  readonly recipient: Recipient | null;
}

/** Maximum rows examined per page, if no index finds the matches. */
const EXAMINED_MAX = 10_000;

/** Nulls, except for the end, if none of the examined rows matches. */
type SelectedRow = RefusedRow & { readonly endAt: Date; readonly endId: string; readonly examined: number };

/**
 * Selects the organization's refused requests that match the filter, newest first, after a position. A page costs the
 * same however many there are: if few match, it can have fewer than `limit` rows, even none, and still have a next
 * page. Requests past the retention time are never shown, even before they are removed.
 */
export async function selectPage(
  ctx: Context,
  filter: RefusalFilter,
  { before, limit }: { readonly before: Position | null; readonly limit: number },
): Promise<PageOfRows> {
  if (!canMatch(filter)) return { rows: [], next: null, recipient: null };
  const { sql } = ctx.services;
  const recipient = filter.recipient === undefined ? null : await findRecipient(ctx, filter.recipient);
  const { code = null, status = null, method = null, route = null } = filter;
  const isScanned = [code, status, method, route].some((named) => named !== null);
  const examinedMax = isScanned ? EXAMINED_MAX : limit + 1;
  const selected = await sql<SelectedRow[]>`
    with examined as materialized (
      select * from ${source(ctx, filter, recipient)} r where ${alongIndex(ctx, filter, before)} ${among(ctx, filter, recipient)}
      order by r.refused_at desc, r.id desc limit ${examinedMax}
    ), shown as (
      select * from examined
      where (${code}::text is null or code = ${code}) and (${status}::int is null or status = ${status})
        and (${method}::text is null or method = ${method}) and (${route}::text is null or route = ${route})
      order by refused_at desc, id desc limit ${limit + 1})
    select s.id, s.refused_at as "refusedAt", s.key_id as "keyId", k.name as "keyName", s.method, s.route, s.status,
      s.code, s.field, s.client_message_id as "clientMessageId", s.duration_ms as "durationMs",
      a.display_prefix as "secretPrefix", a.last_four as "secretLastFour",
      ends.refused_at as "endAt", ends.id as "endId", (select count(*) from examined)::int as examined
    from (select refused_at, id from examined order by refused_at, id limit 1) ends
    left join shown s on true
    left join api_keys k on k.id = s.key_id and k.organization_id = s.organization_id
    left join api_key_secrets a on a.id = s.secret_id and a.organization_id = s.organization_id
    order by s.refused_at desc, s.id desc`;
  const found = selected.filter(({ id }) => id !== null);
  const rows = found.slice(0, limit).map(withoutEnd);
  const last = rows.at(-1);
  if (found.length > limit && last !== undefined) return { rows, next: last, recipient };
  const [end] = selected;
  const isWhole = end === undefined || end.examined < examinedMax;
  return { rows, next: isWhole ? null : { refusedAt: end.endAt, id: end.endId }, recipient };
}

function withoutEnd({ endAt: _at, endId: _id, examined: _examined, ...row }: SelectedRow): RefusedRow {
  return row;
}

/** A malformed id matches nothing; PostgreSQL would fail on it. */
function canMatch({ requestId, clientMessageId, anyId, recipient, method, route }: RefusalFilter): boolean {
  const texts = [clientMessageId, anyId, recipient, method, route];
  return (requestId === undefined || isUuid(requestId)) && !texts.some((text) => text?.includes("\0"));
}

/** A request is looked up by id separately: the order of the list would lead through the whole organization. */
function source(ctx: Context, { requestId, anyId }: RefusalFilter, recipient: Recipient | null): SqlFragment {
  const { services, actor } = ctx;
  const { sql } = services;
  const withId = (id: string) =>
    sql`(select * from api_requests where id = ${id} and organization_id = ${actor.organizationId} limit 1)`;
  if (requestId !== undefined) return withId(requestId);
  if (anyId === undefined) return recipient === null ? sql`api_requests` : sourceFor(ctx, recipient);
  const withClientId = sql`select * from api_requests where client_message_id = ${anyId}`;
  return isUuid(anyId)
    ? sql`(${withId(anyId)} union all ${withClientId} and id <> ${anyId})`
    : sql`(${withClientId})`;
}

/** For a lookup by id: all other filters must match, too. */
function among(
  { services: { sql } }: Context,
  { requestId, anyId }: RefusalFilter,
  recipient: Recipient | null,
) {
  if (recipient === null || (requestId === undefined && anyId === undefined)) return sql``;
  const { hashes, conversationIds } = recipient;
  return sql`and (r.recipient_hash = any(${hashArray(sql, hashes)})
    or r.conversation_id = any(${[...conversationIds]}::uuid[]))`;
}

/**
 * Each row once, although it may name both the number and the conversation. The indexes yield at most a week of one
 * person's requests.
 */
function sourceFor({ services: { sql }, actor }: Context, { hashes, conversationIds }: Recipient) {
  const { organizationId } = actor;
  return sql`(
    select * from api_requests where recipient_hash = any(${hashArray(sql, hashes)}) and organization_id = ${organizationId}
    union
    select * from api_requests
    where conversation_id = any(${[...conversationIds]}::uuid[]) and organization_id = ${organizationId})`;
}

/** The part of the filter that has its own index, in the order of the list. */
function alongIndex({ services: { sql }, actor }: Context, filter: RefusalFilter, before: Position | null) {
  const { anyId, keyId, clientMessageId, since, until } = filter;
  return sql`r.organization_id = ${actor.organizationId}
    and r.refused_at > now() - make_interval(days => ${REFUSED_KEPT_DAYS})
    ${before === null ? sql`` : sql`and (r.refused_at, r.id) < (${before.refusedAt}::timestamptz, ${before.id}::uuid)`}
    ${anyId === undefined ? sql`` : sql`and (r.client_message_id = ${anyId} or r.id::text = ${anyId.toLowerCase()})`}
    ${keyId === undefined ? sql`` : sql`and r.key_id = ${keyId}`}
    ${clientMessageId === undefined ? sql`` : sql`and r.client_message_id = ${clientMessageId}`}
    ${since === undefined ? sql`` : sql`and r.refused_at >= ${since}`}
    ${until === undefined ? sql`` : sql`and r.refused_at < ${until}`}`;
}
