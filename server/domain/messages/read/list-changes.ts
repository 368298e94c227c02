import type { Sql, SqlFragment } from "@/db/client";
import type { Context } from "@/server/core/context";
import { decodeCursor, encodeCursor, type Page } from "@/server/core/paging";
import { NIL_UUID } from "@/server/lib/uuid";
import { settledUntil } from "@/server/domain/webhooks/outbox/settled-until";
import { readColumns, type ReadRow, readShape } from "../model/read-shape";
import type { MessageOutput } from "../model/schemas";
import { type ListFilter, type ListInput, matching, openFilter } from "./list-filter";

const LIST = "message-changes";
/** Maximum changes examined per page. */
const EXAMINED_MAX = 10_000;

/** A place between changes: after the change of a message at a time. */
interface Place {
  readonly at: string;
  readonly id: string;
}

/** Changes of the organization after a place, up to a time before which all are visible. */
interface Range {
  readonly after: Place;
  readonly until: string;
}

type ChangedRow = ReadRow & { readonly changedAt: string };

/**
 * Lists messages by their changes, oldest first. A change has the time of its write, but becomes visible only with its
 * transaction's end. A page therefore ends before the time of the oldest transaction that still writes, and no page
 * that begins later can have left a change out. Of several changes of a message before that time, only the last one
 * lists it.
 * @throws WaypostError `channel_forbidden`.
 */
export async function listChanges(
  ctx: Context,
  input: ListInput,
  updatedSince: string,
): Promise<Page<MessageOutput>> {
  const [at, id] = decodeCursor(ctx, LIST, input.cursor) ?? [];
  const since = new Date(updatedSince).toISOString();
  const after = at === undefined || id === undefined ? { at: since, id: NIL_UUID } : { at, id };
  const filter = await openFilter(ctx, input);
  const range = { after, until: await settledTime(ctx) };
  const rows = await selectChanged(ctx, filter, range);
  const shown = rows.slice(0, input.limit);
  const last = shown.at(-1);
  const end = rows.length > shown.length && last ? placeOf(last) : await lastExamined(ctx, range);
  return {
    data: distinct(shown).map((row) => readShape(row, ctx.services)),
    next_cursor: end === null ? null : encodeCursor(ctx, LIST, [end.at, end.id]),
  };
}

const placeOf = ({ changedAt, id }: ChangedRow): Place => ({ at: changedAt, id });

/** Two changes can have one time. */
function distinct(rows: readonly ChangedRow[]): readonly ChangedRow[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

async function settledTime({ services: { sql } }: Context): Promise<string> {
  const [row] = await sql<{ until: string }[]>`select ${settledUntil(sql)}::text as until`;
  if (!row) throw new Error("The time is unknown");
  return row.until;
}

async function selectChanged(ctx: Context, filter: ListFilter, range: Range): Promise<readonly ChangedRow[]> {
  const { sql } = ctx.services;
  return sql<ChangedRow[]>`
    select ${readColumns(sql)}, c.at::text as "changedAt"
    from (${changesIn(ctx, range)} limit ${EXAMINED_MAX}) c
    join messages m on m.id = c.id and m.organization_id = ${ctx.actor.organizationId}
    where ${matching(ctx, filter)} and not ${changesLater(sql, range)}
    order by c.at, c.id limit ${filter.input.limit + 1}`;
}

/** SQL: whether the message `m` has a later change than `c` in the range. */
function changesLater(sql: Sql, { until }: Range): SqlFragment {
  const isLater = (at: SqlFragment) => sql`${at} > c.at and ${at} < ${until}::text::timestamptz`;
  return sql`(
    (m.erased_at is not null and ${isLater(sql`m.erased_at`)})
    or exists (
      select from message_events e
      where e.message_id = m.id and e.organization_id = m.organization_id and e.sequence is not null
        and ${isLater(sql`e.created_at`)}))`;
}

/** Returns where the search for a page that isn't full stops; null if it covers the whole range. */
async function lastExamined(ctx: Context, range: Range): Promise<Place | null> {
  const [row] = await ctx.services.sql<Place[]>`
    select c.at::text as at, c.id from (${changesIn(ctx, range)} offset ${EXAMINED_MAX - 1} limit 1) c`;
  return row ?? null;
}

/**
 * SQL: the changes in order: acceptance or receipt, changes of the state, erasure. Each has an index, and the plan
 * merges them. No column of a message notes its latest change, because its index would make every change of a state
 * write new entries into all indexes of the table.
 */
function changesIn({ services: { sql }, actor }: Context, { after, until }: Range): SqlFragment {
  const { organizationId } = actor;
  const time = (text: string) => sql`${text}::text::timestamptz`;
  const ofTable = (table: SqlFragment, at: SqlFragment, id: SqlFragment, isChange: SqlFragment) => sql`(
      select ${at} as at, ${id} as id from ${table}
      where ${isChange} and organization_id = ${organizationId}
        and (${at}, ${id}) > (${time(after.at)}, ${after.id}::uuid) and ${at} < ${time(until)}
      order by ${at}, ${id} limit ${EXAMINED_MAX})`;
  return sql`
    select at, id from (
      ${ofTable(sql`messages`, sql`created_at`, sql`id`, sql`kind <> 'note'`)}
      union all
      ${ofTable(sql`message_events`, sql`created_at`, sql`message_id`, sql`sequence is not null`)}
      union all
      ${ofTable(sql`messages`, sql`erased_at`, sql`id`, sql`erased_at is not null`)}) all_changes
    order by at, id`;
}
