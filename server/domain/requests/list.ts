import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { decodeCursor, encodeCursor, type ListTotal, type Page, TOTAL_MAX } from "@/server/core/paging";
import { ERRORS } from "@/server/platform/errors";
import { requireKnownKey } from "./require-known-key";
import { CODES, type ListRequestsInput, type RefusalFilter } from "./schemas";
import { type Position, selectPage, type PageOfRows } from "./select-page";
import { type RefusedRequestView, viewOf } from "./view";
import { REFUSED_KEPT_DAYS } from "./days";
import type { Recipient } from "./find-recipient";

const HOUR_MS = 3_600_000;
const hourOf = (time: Date) => new Date(time.getTime() - (time.getTime() % HOUR_MS));
const hourAfter = (time: Date) => new Date(hourOf(time).getTime() + HOUR_MS);

export interface RefusedRequestPage extends Page<RefusedRequestView> {
  /**
   * Rejected requests in the page's hours that were only counted. With `recipient`, these are for all recipients; some
   * may have been for that one.
   */
  readonly omitted: Omitted[];
}

const LIST = "requests";

/**
 * Lists public requests with the organization's keys that were refused in the last seven days, newest first, each with
 * what to do about it. A page can have fewer than `limit` rows, even none, and still have a next page: if few rows
 * match, each page examines only a part of them.
 * @throws WaypostError `permission_denied` without `requests.read`; `key_not_found` for a filter by a key that the
 * organization doesn't have; `validation_failed`.
 */
export async function listRequests(args: {
  ctx: Context;
  input: ListRequestsInput;
}): Promise<RefusedRequestPage> {
  const { ctx } = args;
  requireCapability(ctx.actor, "requests.read");
  const { limit, cursor, ...filter } = args.input;
  const before = positionOf(decodeCursor(ctx, LIST, cursor));
  if (filter.keyId !== undefined) await requireKnownKey(ctx, filter.keyId);
  const page = await selectPage(ctx, filter, { before, limit });
  const { rows, next } = page;
  return {
    data: rows.map(viewOf),
    next_cursor: next === null ? null : encodeCursor(ctx, LIST, [next.refusedAt.toISOString(), next.id]),
    omitted: await omitted(ctx, filter, { before, ...page }),
  };
}

/**
 * Counts what `listRequests` lists, up to a maximum.
 * @throws WaypostError `permission_denied` without `requests.read`; `key_not_found`; `validation_failed`.
 */
export async function countListedRequests(args: { ctx: Context; input: RefusalFilter }): Promise<ListTotal> {
  const { ctx, input: filter } = args;
  requireCapability(ctx.actor, "requests.read");
  if (filter.keyId !== undefined) await requireKnownKey(ctx, filter.keyId);
  const { rows, next } = await selectPage(ctx, filter, { before: null, limit: TOTAL_MAX });
  return { count: rows.length, isMore: next !== null };
}

function positionOf(position: readonly string[] | null): Position | null {
  const [refusedAt, id] = position ?? [];
  return refusedAt === undefined || id === undefined ? null : { refusedAt: new Date(refusedAt), id };
}

/** Rejected requests of an hour that were counted, but not stored. */
interface Omitted {
  /** Its start; hours are in UTC. */
  readonly hour: Date;
  readonly count: number;
}

/**
 * Counts, by hour and newest first, the rejected requests that have no row. A page has the hours that end on it, so
 * that each is on one page. An hour that the filter's times cut is counted as a whole. Counts don't know recipients: if
 * the filter names one, they are for all recipients. They are empty if the filter names an id, a method, a route, or an unknown
 * recipient.
 */
async function omitted(
  ctx: Context,
  filter: RefusalFilter,
  { before, next, recipient }: Pick<PageOfRows, "next" | "recipient"> & { readonly before: Position | null },
): Promise<Omitted[]> {
  const { requestId, clientMessageId, anyId, method, route, keyId = null } = filter;
  if ([requestId, clientMessageId, anyId, method, route].some((named) => named !== undefined)) return [];
  if (filter.recipient !== undefined && !hasRecipient(recipient)) return [];
  const [since, until] = [filter.since ?? null, filter.until ?? null];
  const from = next === null ? null : hourAfter(next.refusedAt);
  const end = before === null ? null : hourAfter(before.refusedAt);
  const { sql } = ctx.services;
  return sql<Omitted[]>`
    select hour, sum(refused - kept)::int as count from refusal_hours
    where organization_id = ${ctx.actor.organizationId}
      and hour > now() - make_interval(days => ${REFUSED_KEPT_DAYS})
      and hour >= coalesce(greatest(${from}::timestamptz, date_trunc('hour', ${since}::timestamptz, 'UTC')), '-infinity')
      and hour < coalesce(least(${end}::timestamptz, ${until}::timestamptz), 'infinity')
      and (${keyId}::uuid is null or key_id = ${keyId}) and code = any(${codesOf(filter)}::text[])
      and kept < refused
    group by hour order by hour desc`;
}

function hasRecipient(recipient: Recipient | null): boolean {
  return recipient !== null && recipient.hashes.length + recipient.conversationIds.length > 0;
}

/** Returns the possible error codes of the filter's requests: each code has one status. */
function codesOf({ code, status }: RefusalFilter): readonly string[] {
  return CODES.filter(
    (one) => (code ?? one) === one && (status === undefined || ERRORS[one].status === status),
  );
}
