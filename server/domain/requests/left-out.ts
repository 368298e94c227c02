import type { Context } from "@/server/core/context";
import { ERRORS } from "@/server/platform/errors";
import { REFUSED_KEPT_DAYS } from "./days";
import type { Recipient } from "./find-recipient";
import { CODES, type RefusalFilter } from "./schemas";
import type { PageOfRows, Position } from "./select-page";

/** Refusals of an hour that are counted, of which there is no row. */
export interface LeftOut {
  /** Its begin; hours are those of UTC. */
  readonly hour: Date;
  readonly count: number;
}

const HOUR_MS = 3_600_000;
const hourOf = (time: Date) => new Date(time.getTime() - (time.getTime() % HOUR_MS));
const hourAfter = (time: Date) => new Date(hourOf(time).getTime() + HOUR_MS);

/**
 * What isn't among the rows of a page, by hour, newest first: of the hours that come to their end on it, so that each is on
 * one page. An hour that the filter's times cut is counted whole. A count doesn't know for whom requests were: where the filter
 * names a recipient, it is that of all. Of requests that are looked for by an id or a route, or for nobody, there are none.
 */
export async function leftOut(
  ctx: Context,
  filter: RefusalFilter,
  { before, next, recipient }: Pick<PageOfRows, "next" | "recipient"> & { readonly before: Position | null },
): Promise<LeftOut[]> {
  const { requestId, clientMessageId, anyId, route, keyId = null } = filter;
  if ([requestId, clientMessageId, anyId, route].some((named) => named !== undefined)) return [];
  if (filter.recipient !== undefined && !namesSomebody(recipient)) return [];
  const [since, until] = [filter.since ?? null, filter.until ?? null];
  const from = next === null ? null : hourAfter(next.refusedAt);
  const end = before === null ? null : hourAfter(before.refusedAt);
  const { sql } = ctx.services;
  return sql<LeftOut[]>`
    select hour, sum(refused - kept)::int as count from refusal_hours
    where organization_id = ${ctx.actor.organizationId}
      and hour > now() - make_interval(days => ${REFUSED_KEPT_DAYS})
      and hour >= coalesce(greatest(${from}::timestamptz, date_trunc('hour', ${since}::timestamptz, 'UTC')), '-infinity')
      and hour < coalesce(least(${end}::timestamptz, ${until}::timestamptz), 'infinity')
      and (${keyId}::uuid is null or key_id = ${keyId}) and code = any(${codesOf(filter)}::text[])
      and kept < refused
    group by hour order by hour desc`;
}

function namesSomebody(recipient: Recipient | null): boolean {
  return recipient !== null && recipient.hashes.length + recipient.conversationIds.length > 0;
}

/** Codes by which the filter's requests can have been refused: a code has one status. */
function codesOf({ code, status }: RefusalFilter): readonly string[] {
  return CODES.filter(
    (one) => (code ?? one) === one && (status === undefined || ERRORS[one].status === status),
  );
}
