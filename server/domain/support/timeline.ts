import { z } from "zod";
import { isAllowed, requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { decodeCursor, encodeCursor, type Page, pageInput } from "@/server/core/paging";
import { listRequests } from "@/server/domain/requests/list";
import type { RefusedRequestView } from "@/server/domain/requests/view";
import { findAftermaths, UNTOUCHED } from "./about";
import { requireConversation } from "./conversation";
import { aboutOther, findReferenced, quotedBy } from "./referenced";
import { type ActEntry, findActs } from "./timeline-acts";
import { messageEntry, type MessageEntry, type NoteEntry, noteEntry } from "./timeline-entries";
import { selectTimelineRows, type TimelineRow } from "./timeline-rows";
import { countWebhooks, NO_WEBHOOKS } from "./webhook-counts";

export const timelineInput = z.strictObject({ threadId: z.string(), ...pageInput });

/** A request for this customer that was refused instead of becoming a message. */
export interface RefusedEntry {
  readonly kind: "refused";
  readonly id: string;
  readonly at: Date;
  readonly request: RefusedRequestView;
}

export type TimelineEntry = MessageEntry | NoteEntry | RefusedEntry | ActEntry;

export interface TimelinePage extends Page<TimelineEntry> {
  /** Not all refused requests of this page's time are shown. */
  readonly isRefusedCut: boolean;
  /** Not all changes of state and assignee of this page's time are shown. */
  readonly isActsCut: boolean;
}

const LIST = "timeline";
const SEQUENCE_MAX = Number.MAX_SAFE_INTEGER;
/** Refused requests on one page. */
const REFUSED_MAX = 100;

/** Where a page begins: after a message, and with what isn't a message before a time. */
interface Position {
  readonly acceptSeq: number;
  readonly until: Date | null;
}

/**
 * Returns what happened in a conversation, newest first: messages of both directions, internal notes, and at their time
 * changes of state and assignee, and requests to the customer that were refused. Reactions, deletions and changes are
 * shown at the message that they belong to. A page can have fewer entries than `limit`, even none, and still have a next
 * page. Each page costs the same however long the conversation is.
 * @throws WaypostError `permission_denied` without `messages.read`; `thread_not_found`.
 */
export async function readConversationTimeline(args: {
  ctx: Context;
  input: z.output<typeof timelineInput>;
}): Promise<TimelinePage> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "messages.read");
  const { id: threadId, channelId } = await requireConversation(ctx, input.threadId);
  const begin = positionOf(decodeCursor(ctx, listOf(threadId), input.cursor));
  const found = await selectTimelineRows(ctx, {
    threadId,
    before: begin.acceptSeq,
    limit: input.limit + 1,
  });
  const rows = found.slice(0, input.limit);
  const end = found.length > input.limit ? endOf(rows, begin) : null;
  const time = { since: end?.until ?? null, until: begin.until };
  const [entries, refused, acts] = await Promise.all([
    entriesOf(ctx, { threadId, channelId, rows }),
    refusedBetween(ctx, threadId, time),
    findActs(ctx, threadId, time),
  ]);
  const others = [...refused.entries, ...acts.entries].toSorted((one, other) => +other.at - +one.at);
  return {
    data: inOneOrder(entries, others),
    next_cursor:
      end && encodeCursor(ctx, listOf(threadId), [String(end.acceptSeq), end.until?.toISOString() ?? ""]),
    isRefusedCut: refused.isCut,
    isActsCut: acts.isCut,
  };
}

/** A cursor is valid in its own conversation only. */
const listOf = (threadId: string) => `${LIST}:${threadId}`;

function positionOf(position: readonly string[] | null): Position {
  const [acceptSeq, until = ""] = position ?? [];
  return {
    acceptSeq: acceptSeq === undefined ? SEQUENCE_MAX : Number(acceptSeq),
    until: until === "" ? null : new Date(until),
  };
}

/** Times need not have the order of acceptance. The pages' times must, so that nothing is on two pages. */
function endOf(rows: readonly TimelineRow[], begin: Position): Position | null {
  const last = rows.at(-1);
  if (last === undefined) return null;
  const isEarlier = begin.until === null || last.createdAt < begin.until;
  return { acceptSeq: last.acceptSeq, until: isEarlier ? last.createdAt : begin.until };
}

interface Rows {
  readonly threadId: string;
  readonly channelId: string;
  readonly rows: readonly TimelineRow[];
}

async function entriesOf(ctx: Context, { threadId, channelId, rows }: Rows) {
  const messages = rows.filter((row) => row.kind !== "note");
  const references = messages.flatMap(({ content }) =>
    [quotedBy(content), aboutOther(content)].filter((one) => one !== null),
  );
  const [referenced, aftermaths, webhooks] = await Promise.all([
    findReferenced(ctx, channelId, references),
    findAftermaths(ctx, threadId, messages),
    countWebhooks(
      ctx,
      messages.map(({ id }) => id),
    ),
  ]);
  return rows.flatMap((row): (MessageEntry | NoteEntry)[] => {
    if (row.kind === "note") return [noteEntry(row)];
    const target = aboutOther(row.content);
    const known = target === null ? null : referenced(target);
    // Its message shows it. If it failed, or its message isn't in this conversation, it stands by itself.
    if (known?.threadId === threadId && row.state !== "failed") return [];
    return [
      messageEntry(row, {
        services: ctx.services,
        referenced,
        aftermath: aftermaths.get(row.id) ?? UNTOUCHED,
        webhooks: webhooks.get(row.id) ?? NO_WEBHOOKS,
      }),
    ];
  });
}

/** Requests that were refused from `since` on and before `until`, newest first. */
async function refusedBetween(
  ctx: Context,
  threadId: string,
  { since, until }: { since: Date | null; until: Date | null },
): Promise<{ entries: readonly RefusedEntry[]; isCut: boolean }> {
  if (!isAllowed(ctx.actor, "requests.read")) return { entries: [], isCut: false };
  const { data, next_cursor: next } = await listRequests({
    ctx,
    input: {
      recipient: threadId,
      limit: REFUSED_MAX,
      ...(since === null ? {} : { since: since.toISOString() }),
      ...(until === null ? {} : { until: until.toISOString() }),
    },
  });
  return {
    entries: data.map((request) => ({ kind: "refused", id: request.requestId, at: request.at, request })),
    isCut: next !== null,
  };
}

/** Messages keep their order: each other entry goes before the first of them that isn't newer. */
function inOneOrder(
  entries: readonly (MessageEntry | NoteEntry)[],
  others: readonly (RefusedEntry | ActEntry)[],
): TimelineEntry[] {
  const merged: TimelineEntry[] = [];
  let next = 0;
  for (const entry of entries) {
    for (let one = others[next]; one !== undefined && one.at > entry.at; one = others[++next])
      merged.push(one);
    merged.push(entry);
  }
  return [...merged, ...others.slice(next)];
}
