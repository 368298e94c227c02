import { z } from "zod";
import { timeInput } from "@/server/core/input/time-input";
import { requireCapability } from "@/server/core/capabilities";
import { allowedChannels } from "@/server/core/channel-access";
import { requireKnownChannel } from "@/server/core/channel-access";
import type { Context } from "@/server/core/context";
import { decodeCursor, encodeCursor, type Page, pageInput, pageOf, pageOutput } from "@/server/core/paging";
import { sequenceAt } from "../model/sequence-at";
import { readColumns, type ReadRow, readShape } from "../model/read-shape";
import { deliveryState, messageOutput, type MessageOutput } from "../model/schemas";
import { clientMessageId } from "../model/send-request";

export const listMessagesInput = z.strictObject({
  client_message_id: clientMessageId(
    "Finds one message, so that a lost answer can be looked up without sending again",
  ).optional(),
  state: deliveryState.meta({ description: "Only messages in this state" }).optional(),
  channel_id: z.guid().meta({ description: "Only messages sent from this channel" }).optional(),
  since: timeInput.meta({ description: "Only messages accepted at this time or later" }).optional(),
  until: timeInput.meta({ description: "Only messages accepted before this time" }).optional(),
  ...pageInput,
});

export const messagePage = pageOutput(messageOutput, "MessageList");

type ListInput = z.output<typeof listMessagesInput>;
type ListedRow = ReadRow & { readonly acceptSeq: number };

const LIST = "messages";
/** Maximum rows examined per page. A page costs the same however many messages there are, and however few match. */
const EXAMINED_MAX = 10_000;
const SEQUENCE_MAX = Number.MAX_SAFE_INTEGER;

/**
 * Lists outbound messages, newest first, on the channels that the actor may use. A page can have fewer than `limit`
 * rows, even none, and still have a next page: if few rows match, each page examines only a part of them.
 * @throws WaypostError `channel_forbidden` for a filter by another channel.
 */
export async function listMessages(args: { ctx: Context; input: ListInput }): Promise<Page<MessageOutput>> {
  const { ctx, input } = args;
  requireCapability(ctx.actor, "messages.read");
  const before = Number(decodeCursor(ctx, LIST, input.cursor)?.[0] ?? SEQUENCE_MAX);
  if (input.channel_id !== undefined) await requireKnownChannel(ctx, input.channel_id);
  if (input.client_message_id !== undefined) return findByClientId(ctx, input, input.client_message_id);
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
  const page = shape(await selectPage(ctx, input, span, EXAMINED_MAX));
  if (page.next_cursor !== null) return page;
  const examined = await lastExamined(ctx, span);
  if (examined === null) return page;
  // Messages accepted in the meantime have moved that end. Reading again ensures that every row is on exactly one page.
  const exact = shape(await selectPage(ctx, input, { ...span, from: examined }, null));
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
async function selectPage(ctx: Context, input: ListInput, span: Span, examinedMax: number | null) {
  const { sql } = ctx.services;
  return sql<ListedRow[]>`
    select ${readColumns(sql)}, m.accept_seq as "acceptSeq"
    from (
      select * from messages
      where organization_id = ${ctx.actor.organizationId} and accept_seq > 0
        and accept_seq >= ${span.from} and accept_seq < ${span.before}
      order by accept_seq desc limit ${examinedMax}
    ) m
    where ${matching(ctx, input)}
    order by m.accept_seq desc limit ${input.limit + 1}`;
}

async function findByClientId(ctx: Context, input: ListInput, clientMessageId: string) {
  const { sql } = ctx.services;
  const rows = await sql<ReadRow[]>`
    select ${readColumns(sql)} from messages m
    where m.client_message_id = ${clientMessageId} and m.organization_id = ${ctx.actor.organizationId}
      and ${matching(ctx, input)}`;
  return { data: rows.map((row) => readShape(row, ctx.services)), next_cursor: null };
}

function matching(ctx: Context, input: ListInput) {
  const { state, channelId, since, until } = {
    state: input.state ?? null,
    channelId: input.channel_id ?? null,
    since: input.since ?? null,
    until: input.until ?? null,
  };
  const { sql } = ctx.services;
  const allowed = allowedChannels(ctx);
  return sql`m.kind = 'outbound'
    and (${state}::text is null or m.state = ${state})
    and (${channelId}::uuid is null or m.channel_id = ${channelId})
    and (${allowed}::uuid[] is null or m.channel_id = any(${allowed}::uuid[]))
    and (${since}::timestamptz is null or m.created_at >= ${since})
    and (${until}::timestamptz is null or m.created_at < ${until})`;
}

/** Returns where the search for a page that isn't full stops; null if it covers the whole range. */
async function lastExamined(ctx: Context, span: Span): Promise<number | null> {
  const [row] = await ctx.services.sql<{ acceptSeq: number }[]>`
    select accept_seq as "acceptSeq" from messages
    where organization_id = ${ctx.actor.organizationId} and accept_seq > 0
      and accept_seq >= ${span.from} and accept_seq < ${span.before}
    order by accept_seq desc offset ${EXAMINED_MAX - 1} limit 1`;
  return row?.acceptSeq ?? null;
}
