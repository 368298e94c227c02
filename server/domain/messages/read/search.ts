import { z } from "zod";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import {
  decodeCursor,
  encodeCursor,
  type ListTotal,
  type Page,
  pageInput,
  TOTAL_MAX,
} from "@/server/core/paging";
import {
  matching,
  requireKnownFilter,
  type SearchFilter,
  searchFilterShape,
  SEQUENCE_MAX,
  type Span,
  spanOfTimes,
} from "./search-filter";
import { findMatches, MATCH_KINDS, type Matches, type MatchKind } from "./search-matches";
import { type MessageSummary, summaryColumns, summaryJoins, summaryOf, type SummaryRow } from "./search-rows";
import { type Walk, walkOf } from "./search-walk";

export const countMessagesInput = z.strictObject({
  ...searchFilterShape,
  by: z
    .enum(MATCH_KINDS)
    .optional()
    .meta({ description: "How to interpret the text, if it could be several kinds of id or number" }),
});

export const searchMessagesInput = countMessagesInput.extend(pageInput);

export interface MessageSearchPage extends Page<MessageSummary> {
  /** The kinds of things that the search text matches, even if the filter hides them; empty without a text. */
  readonly matchedBy: readonly MatchKind[];
  /** Whether more contacts have such a number than were examined: more digits are needed. */
  readonly isCut: boolean;
  /** The time back to which this page searched; null if it covered everything. */
  readonly lookedBackTo: Date | null;
}

const LIST = "message-search";

/**
 * Searches outbound messages, newest first, by what support staff know: an id of any kind or a number in any spelling;
 * and by filters. A page can have fewer than `limit` rows, even none, and still have a next page: if few rows match,
 * each page examines only a part of them.
 * @throws WaypostError `permission_denied`, `channel_forbidden`, `key_not_found`.
 */
export async function searchMessages(args: {
  ctx: Context;
  input: z.output<typeof searchMessagesInput>;
}): Promise<MessageSearchPage> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "messages.read");
  const before = Number(decodeCursor(ctx, LIST, input.cursor)?.[0] ?? SEQUENCE_MAX);
  const search = await openSearch(ctx, input);
  const { rows, next, lookedBackTo } = await search.page(before, input.limit);
  const kinds = search.matchedBy;
  return {
    data: rows.map((row) => summaryOf(row, matchOf(search.matches, row))),
    next_cursor: next === null ? null : encodeCursor(ctx, LIST, [String(next)]),
    matchedBy: MATCH_KINDS.filter((kind) => kinds.has(kind)),
    isCut: search.matches?.isCut ?? false,
    lookedBackTo,
  };
}

/**
 * Counts what `searchMessages` lists, up to a maximum, and at most as many as one page examines.
 * @throws WaypostError `permission_denied`, `channel_forbidden`, `key_not_found`.
 */
export async function countMessages(args: {
  ctx: Context;
  input: z.output<typeof countMessagesInput>;
}): Promise<ListTotal> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "messages.read");
  const { matches, count } = await openSearch(ctx, input);
  const total = await count(TOTAL_MAX);
  return { ...total, isMore: total.isMore || (matches?.isCut ?? false) };
}

function matchOf(matches: Matches | null, row: SummaryRow): MatchKind | null {
  return matches?.messages.get(row.id) ?? matches?.conversations.get(row.threadId) ?? null;
}

/** Rows, and the acceptance number after which the next ones follow: null if there are none. */
export interface FoundRows {
  readonly rows: readonly SummaryRow[];
  readonly next: number | null;
  readonly lookedBackTo: Date | null;
}

export interface Search {
  readonly matches: Matches | null;
  readonly matchedBy: ReadonlySet<MatchKind>;
  /**
   * Returns the newest rows accepted before that number, at most `limit`. Costs the same however many messages there
   * are.
   */
  page(before: number, limit: number): Promise<FoundRows>;
  /** Counts the rows, at most as many as the maximum, and as one page examines. */
  count(max: number): Promise<ListTotal>;
}

/**
 * Resolves the search text and filters, once for all pages.
 * @throws WaypostError `channel_forbidden`, `key_not_found`.
 */
export async function openSearch(
  ctx: Context,
  filter: SearchFilter & { readonly by?: MatchKind | undefined },
): Promise<Search> {
  await requireKnownFilter(ctx, filter);
  const isTyped = filter.q !== undefined && filter.q.trim() !== "";
  const [matches, times] = await Promise.all([
    isTyped ? findMatches(ctx, filter.q ?? "", filter.by) : null,
    spanOfTimes(ctx, filter),
  ]);
  const walk = walkOf(ctx, filter, matches);
  return {
    matches,
    matchedBy: new Set([...(matches?.messages.values() ?? []), ...(matches?.conversations.values() ?? [])]),
    page: (before, limit) =>
      selectPage(ctx, filter, walk, { ...times, before: Math.min(before, times.before) }, limit),
    count: (max) => countRows(ctx, filter, walk, times, max),
  };
}

async function selectPage(
  ctx: Context,
  filter: SearchFilter,
  walk: Walk,
  span: Span,
  limit: number,
): Promise<FoundRows> {
  const rows = await selectRows(ctx, filter, walk, span, { limit, examinedMax: walk.examinedMax });
  const isComplete = rows.length > limit;
  const examined = isComplete ? null : await lastExamined(ctx, walk, span);
  // Messages accepted in the meantime have moved that end. Reading again ensures that every row is on exactly one page.
  const exact =
    examined === null
      ? rows
      : await selectRows(
          ctx,
          filter,
          walk,
          { ...span, from: examined.acceptSeq },
          { limit, examinedMax: null },
        );
  const shown = exact.slice(0, limit);
  const last = shown.at(-1);
  if (exact.length > limit && last !== undefined) {
    return { rows: shown, next: last.acceptSeq, lookedBackTo: last.createdAt };
  }
  return { rows: shown, next: examined?.acceptSeq ?? null, lookedBackTo: examined?.createdAt ?? null };
}

/** @param range.examinedMax maximum rows to examine per stream, matching or not; null for the whole range. */
function selectRows(
  ctx: Context,
  filter: SearchFilter,
  walk: Walk,
  span: Span,
  { limit, examinedMax }: { limit: number; examinedMax: number | null },
): Promise<SummaryRow[]> {
  const { sql } = ctx.services;
  return sql<SummaryRow[]>`
    select ${summaryColumns(sql)}
    from (
      select m.* from (${walk.rows(span, sql`*`, sql`limit ${examinedMax}`)}) m
      where ${matching(ctx, filter)}
      order by m.accept_seq desc limit ${limit + 1}) m
    ${summaryJoins(sql)}
    order by m.accept_seq desc`;
}

async function countRows(
  ctx: Context,
  filter: SearchFilter,
  walk: Walk,
  span: Span,
  max: number,
): Promise<ListTotal> {
  const { sql } = ctx.services;
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select from (${walk.rows(span, sql`*`, sql`limit ${walk.examinedMax}`)}) m
      where ${matching(ctx, filter)} limit ${max + 1}) m`;
  const found = row?.count ?? 0;
  if (found > max) return { count: max, isMore: true };
  return { count: found, isMore: (await lastExamined(ctx, walk, span)) !== null };
}

interface Examined {
  readonly acceptSeq: number;
  readonly createdAt: Date;
}

/** Returns where the search for a page that isn't full stops; null if it covers the whole range. */
async function lastExamined(
  { services: { sql } }: Context,
  walk: Walk,
  span: Span,
): Promise<Examined | null> {
  const [row] = await sql<Examined[]>`
    select accept_seq as "acceptSeq", created_at as "createdAt"
    from (${walk.rows(span, sql`accept_seq, created_at`, sql`offset ${walk.examinedMax - 1} limit 1`)}) e
    order by accept_seq desc limit 1`;
  return row ?? null;
}
