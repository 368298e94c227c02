import type { SqlFragment } from "@/db/client";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { decodeCursor, encodeCursor, type Page, pageOf, pageOutput } from "@/server/core/paging";
import { sequenceAt } from "../model/sequence-at";
import { readColumns, type ReadRow, readShape } from "../model/read-shape";
import { messageOutput, type MessageOutput } from "../model/schemas";
import { listChanges } from "./list-changes";
import { type ListFilter, type ListInput, matching, openFilter } from "./list-filter";

export const messagePage = pageOutput(messageOutput, "MessageList");

type ListedRow = ReadRow & { readonly acceptSeq: number };

const LIST = "messages";
/** Maximum rows examined per page. A page costs the same however many messages there are, and however few match. */
const EXAMINED_MAX = 10_000;
const SEQUENCE_MAX = Number.MAX_SAFE_INTEGER;

/**
 * Lists messages on the channels that the actor may use, newest first, or with `updated_since` by their changes. A page
 * can have fewer than `limit` rows, even none, and still have a next page: if few rows match, each page examines only a
 * part of them.
 * @throws WaypostError `channel_forbidden` for a filter by another channel.
 */
export async function listMessages(args: { ctx: Context; input: ListInput }): Promise<Page<MessageOutput>> {
  const { ctx, input } = args;
  requireCapability(ctx.actor, "messages.read");
  const { updated_since: updatedSince } = input;
  if (updatedSince !== undefined) return listChanges(ctx, input, updatedSince);
  const before = Number(decodeCursor(ctx, LIST, input.cursor)?.[0] ?? SEQUENCE_MAX);
  const filter = await openFilter(ctx, input);
  if (input.client_message_id !== undefined) return findByClientId(ctx, filter, input.client_message_id);
  const span = await spanOf(ctx, input, before);
  const shape = (rows: readonly ListedRow[]) =>
    pageOf({
      ctx,
      list: LIST,
      rows,
      limit: input.limit,
      shape: (row) => readShape(row, ctx.services),
      position: (row) => [String(row.acceptSeq)],
    });
  const page = shape(await selectPage(ctx, filter, span, EXAMINED_MAX));
  if (page.next_cursor !== null) return page;
  const examined = await lastExamined(ctx, filter, span);
  if (examined === null) return page;
  // Messages accepted in the meantime have moved that end. Reading again ensures that every row is on exactly one page.
  const exact = shape(await selectPage(ctx, filter, { ...span, from: examined }, null));
  return { ...exact, next_cursor: exact.next_cursor ?? encodeCursor(ctx, LIST, [String(examined)]) };
}

/** Range of sequence numbers: from `from` (inclusive) to `before` (exclusive). */
interface Span {
  readonly from: number;
  readonly before: number;
}

async function spanOf(ctx: Context, { since, until }: ListInput, before: number): Promise<Span> {
  const [from, end] = await Promise.all([
    since === undefined ? 0 : sequenceAt(ctx, new Date(since), "before"),
    until === undefined ? SEQUENCE_MAX : sequenceAt(ctx, new Date(until), "after"),
  ]);
  return { from, before: Math.min(before, end) };
}

/** @param examinedMax maximum rows to examine, matching or not; null for the whole range. */
async function selectPage(ctx: Context, filter: ListFilter, span: Span, examinedMax: number | null) {
  const { sql } = ctx.services;
  return sql<ListedRow[]>`
    select ${readColumns(sql)}, m.accept_seq as "acceptSeq"
    from (${candidates(ctx, filter, span)} order by accept_seq desc limit ${examinedMax}) m
    where ${matching(ctx, filter)}
    order by m.accept_seq desc limit ${filter.input.limit + 1}`;
}

/**
 * SQL: messages of the range, of the organization or of the conversations. Of each conversation, two indexes hold the
 * messages in order, and the plan merges them: it reads only as many as the page needs.
 */
function candidates(ctx: Context, { threadIds }: ListFilter, { from, before }: Span): SqlFragment {
  const { sql } = ctx.services;
  const { organizationId } = ctx.actor;
  const within = sql`organization_id = ${organizationId} and accept_seq >= ${from} and accept_seq < ${before}`;
  if (threadIds === null) return sql`select * from messages where accept_seq > 0 and ${within}`;
  if (threadIds.length === 0) return sql`select * from messages where false`;
  const parts = threadIds.flatMap((id) => [
    sql`select * from messages where conversation_id = ${id} and erased_at is null and ${within}`,
    sql`select * from messages where conversation_id = ${id} and erased_at is not null and ${within}`,
  ]);
  return sql`select * from (${parts.reduce((all, one) => sql`${all} union all ${one}`)}) c`;
}

async function findByClientId(ctx: Context, filter: ListFilter, clientMessageId: string) {
  const { sql } = ctx.services;
  const rows = await sql<ReadRow[]>`
    select ${readColumns(sql)} from messages m
    where m.client_message_id = ${clientMessageId} and m.organization_id = ${ctx.actor.organizationId}
      and ${matching(ctx, filter)}`;
  return { data: rows.map((row) => readShape(row, ctx.services)), next_cursor: null };
}

/** Returns where the search for a page that isn't full stops; null if it covers the whole range. */
async function lastExamined(ctx: Context, filter: ListFilter, span: Span): Promise<number | null> {
  const [row] = await ctx.services.sql<{ acceptSeq: number }[]>`
    select accept_seq as "acceptSeq" from (${candidates(ctx, filter, span)}) m
    order by accept_seq desc offset ${EXAMINED_MAX - 1} limit 1`;
  return row?.acceptSeq ?? null;
}
