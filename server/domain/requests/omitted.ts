import type { Context } from "@/server/core/context";
import { ERRORS } from "@/server/platform/errors";
import { REFUSED_KEPT_DAYS } from "./days";
import type { Recipient } from "./find-recipient";
import { CODES, type RefusalFilter } from "./schemas";
import type { PageOfRows, Position } from "./select-page";

/** Rejected requests of an hour that were counted, but not stored. */
export interface Omitted {
  /** Its start; hours are in UTC. */
  readonly hour: Date;
  readonly count: number;
}

const HOUR_MS = 3_600_000;
const hourOf = (time: Date) => new Date(time.getTime() - (time.getTime() % HOUR_MS));
const hourAfter = (time: Date) => new Date(hourOf(time).getTime() + HOUR_MS);

/**
 * Counts, by hour and newest first, the rejected requests that have no row. A page has the hours that end on it, so
 * that each is on one page. An hour that the filter's times cut is counted as a whole. Counts don't know recipients: if
 * the filter names one, they are for all recipients. They are empty if the filter names an id, a route, or an unknown
 * recipient.
 */
export async function omitted(
  ctx: Context,
  filter: RefusalFilter,
  { before, next, recipient }: Pick<PageOfRows, "next" | "recipient"> & { readonly before: Position | null },
): Promise<Omitted[]> {
  const { requestId, clientMessageId, anyId, route, keyId = null } = filter;
  if ([requestId, clientMessageId, anyId, route].some((named) => named !== undefined)) return [];
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
