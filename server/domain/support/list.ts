import { z } from "zod";
import type { SqlFragment } from "@/db/client";
import { requireMemberCapability } from "@/server/core/capabilities";
import { requireKnownChannel } from "@/server/core/channel-access";
import type { Context } from "@/server/core/context";
import { decodeCursor, encodeCursor, type Page, pageInput } from "@/server/core/paging";
import { findTyped, SEARCH_LENGTH_MAX } from "@/server/domain/contacts/search";
import { isUuid, MAX_UUID } from "@/server/lib/uuid";
import { type ConversationSummary, type ListedRow, listedColumns, listedJoins, summaryOf } from "./list-rows";
import { contactsOfPersons } from "@/server/domain/contacts/merged-contacts";

export const listConversationsInput = z.strictObject({
  /** A customer's name or its start, their number in any spelling or its last digits, or the id of a contact. */
  q: z.string().max(SEARCH_LENGTH_MAX, `must have at most ${SEARCH_LENGTH_MAX} characters`).optional(),
  status: z.enum(["open", "closed"]).optional(),
  /** `me`, `nobody`, or a member's id. */
  assignee: z.string().optional(),
  channelId: z.guid().optional(),
  ...pageInput,
});

type Input = z.output<typeof listConversationsInput>;

export interface ConversationPage extends Page<ConversationSummary> {
  /** More customers match than were searched: the text is too short. */
  readonly isCut: boolean;
}

const LIST = "conversations";
/** Maximum conversations examined for each page and channel, whether they match the filters or not. */
const EXAMINED_MAX = 2_000;
/** Usually these have a page's matches. */
const EXAMINED_FIRST = 200;

/** The position of a conversation in the order of the list. */
interface Position {
  readonly sequence: number;
  readonly id: string;
}

const FIRST: Position = { sequence: Number.MAX_SAFE_INTEGER, id: MAX_UUID };

/**
 * Lists the organization's conversations, newest message first. A page can have fewer than `limit` rows, even none, and
 * still have a next page: if few match, each page examines only a part of them.
 * @throws WaypostError `permission_denied` without `messages.read`; `channel_forbidden` for an unknown channel.
 */
export async function listConversations(args: { ctx: Context; input: Input }): Promise<ConversationPage> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "messages.read");
  if (input.channelId !== undefined) await requireKnownChannel(ctx, input.channelId, "channelId");
  const after = positionOf(decodeCursor(ctx, LIST, input.cursor));
  const typed = input.q?.trim() ?? "";
  const found = typed === "" ? null : await findTyped(ctx, typed);
  const { rows, next } =
    found === null
      ? await pageOfAll(ctx, input, after)
      : await pageAmong(ctx, input, after, found.contactIds);
  return {
    data: rows.map(summaryOf),
    next_cursor: next && encodeCursor(ctx, LIST, [String(next.sequence), next.id]),
    isCut: found?.isCut ?? false,
  };
}

function positionOf(position: readonly string[] | null): Position {
  const [sequence, id] = position ?? [];
  return sequence === undefined || id === undefined ? FIRST : { sequence: Number(sequence), id };
}

interface Rows {
  readonly rows: readonly ListedRow[];
  /** The position that the next page starts after; null on the last page. */
  readonly next: Position | null;
}

/** First looks at few conversations, and at more only if these don't fill the page. */
async function pageOfAll(ctx: Context, input: Input, after: Position): Promise<Rows> {
  const isFiltered = input.status !== undefined || input.assignee !== undefined;
  const steps = isFiltered ? [EXAMINED_FIRST, EXAMINED_MAX] : [input.limit + 1];
  let page: Rows = { rows: [], next: null };
  for (const examinedMax of steps) {
    page = await examine(ctx, input, after, examinedMax);
    if (page.rows.length === input.limit || page.next === null) break;
  }
  return page;
}

type ExaminedRow = ListedRow & {
  readonly endSequence: number;
  readonly endId: string;
  readonly examined: number;
};

async function examine(ctx: Context, input: Input, after: Position, examinedMax: number): Promise<Rows> {
  const { sql } = ctx.services;
  const { organizationId } = ctx.actor;
  const { channelId = null } = input;
  // One walk through each channel's index, merged: the statement costs the same however many conversations there are.
  const selected = await sql<ExaminedRow[]>`
    with examined as materialized (
      select v.* from channels w cross join lateral (
        select * from conversations
        where channel_id = w.id and organization_id = w.organization_id
          and (last_activity_seq, id) < (${after.sequence}::bigint, ${after.id}::uuid)
        order by last_activity_seq desc, id desc limit ${examinedMax}) v
      where w.organization_id = ${organizationId} and (${channelId}::uuid is null or w.id = ${channelId})
      order by v.last_activity_seq desc, v.id desc limit ${examinedMax}
    ), shown as (
      select * from examined v where ${matching(ctx, input)}
      order by last_activity_seq desc, id desc limit ${input.limit + 1}
    )
    select r.*, e.last_activity_seq as "endSequence", e.id as "endId",
      (select count(*) from examined)::int as examined
    from (select last_activity_seq, id from examined order by last_activity_seq, id limit 1) e
    left join (select ${listedColumns(sql)} from shown v ${listedJoins(sql)}) r on true
    order by r.sequence desc, r.id desc`;
  const [end] = selected;
  const page = cut(
    selected.filter(({ id }) => id !== null),
    input.limit,
  );
  if (page.next !== null || end === undefined || end.examined < examinedMax) return page;
  return { rows: page.rows, next: { sequence: end.endSequence, id: end.endId } };
}

/** Conversations of contacts that a search found: few, whatever else the organization has. */
async function pageAmong(
  ctx: Context,
  input: Input,
  after: Position,
  contactIds: readonly string[],
): Promise<Rows> {
  const { sql } = ctx.services;
  const { organizationId } = ctx.actor;
  const { channelId = null } = input;
  const rows = await sql<ListedRow[]>`
    with family as materialized (
      select unnest(${contactsOfPersons(sql, organizationId, sql`${[...contactIds]}::uuid[]`)}) as id
    ), shown as (
      select v.* from family f join conversations v on v.contact_id = f.id and v.organization_id = ${organizationId}
      where (v.last_activity_seq, v.id) < (${after.sequence}::bigint, ${after.id}::uuid)
        and (${channelId}::uuid is null or v.channel_id = ${channelId}) and ${matching(ctx, input)}
      order by v.last_activity_seq desc, v.id desc limit ${input.limit + 1}
    )
    select ${listedColumns(sql)} from shown v ${listedJoins(sql)}
    order by v.last_activity_seq desc, v.id desc`;
  return cut(rows, input.limit);
}

function cut(rows: readonly ListedRow[], limit: number): Rows {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const isMore = rows.length > limit && last !== undefined;
  return { rows: shown, next: isMore ? { sequence: last.sequence, id: last.id } : null };
}

function matching({ services: { sql }, actor }: Context, { assignee, ...input }: Input): SqlFragment {
  const status = input.status ?? null;
  const ofStatus = sql`(${status}::text is null or v.status = ${status})`;
  if (assignee === undefined) return ofStatus;
  if (assignee === "nobody") return sql`${ofStatus} and v.assignee_id is null`;
  const self = actor.kind === "member" ? actor.memberId : null;
  const memberId = assignee === "me" ? self : assignee;
  // A malformed id matches nothing; PostgreSQL would fail on it.
  if (memberId === null || !isUuid(memberId)) return sql`false`;
  return sql`${ofStatus} and v.assignee_id = ${memberId}::uuid`;
}
