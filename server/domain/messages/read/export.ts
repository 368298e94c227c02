import type { DeliveryState } from "@/db/schema";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { type CsvColumns, csvOf } from "@/server/lib/csv";
import { type FoundRows, openSearch, type Search } from "./search";
import { type SearchFilter, SEQUENCE_MAX } from "./search-filter";
import { type MessageSummary, summaryOf, type SummaryRow } from "./search-rows";
import { type Explanation, explainRow, type PendingReason } from "./explanation";

/** Rows per statement and per chunk. */
const BATCH_MAX = 500;

interface ExportedMessage extends MessageSummary, Pick<SummaryRow, "requestId" | "upstreamId"> {
  /** Null for a queued message if its row doesn't show why it waits. */
  readonly explanation: Explanation | null;
}

const COLUMNS: CsvColumns<ExportedMessage> = {
  message_id: (row) => row.id,
  client_message_id: (row) => row.clientMessageId,
  state: (row) => row.state,
  type: (row) => row.type,
  number: (row) => row.recipient,
  contact_id: (row) => row.contact.id,
  contact_name: (row) => row.contact.name,
  thread_id: (row) => row.threadId,
  channel_id: (row) => row.channel.id,
  channel_name: (row) => row.channel.name,
  sent_by: ({ sender }) => sender.kind,
  sender_id: ({ sender }) => (sender.kind === "waypost" ? null : sender.id),
  sender_name: ({ sender }) => (sender.kind === "waypost" ? "Waypost" : sender.name),
  error_code: ({ error }) => error?.code ?? null,
  error_message: ({ error }) => error?.message ?? null,
  resend: ({ error, explanation }) => (error === null ? null : (explanation?.resend ?? error.resend)),
  what_to_do: ({ explanation }) => explanation?.whatToDo ?? null,
  accepted_at: (row) => row.createdAt,
  sent_at: (row) => row.sentAt,
  delivered_at: (row) => row.deliveredAt,
  read_at: (row) => row.readAt,
  failed_at: (row) => row.failedAt,
  in_doubt_since: (row) => row.inDoubtSince,
  erased_at: (row) => row.erasedAt,
  request_id: (row) => row.requestId,
  wamid: (row) => row.upstreamId,
};

/**
 * Exports a search's results as CSV, newest first, without message contents. Memory use doesn't depend on the number of
 * rows, and it stops reading when the reader stops.
 * @throws WaypostError as `searchMessages` does, before the first chunk.
 */
export async function* exportMessages(args: {
  ctx: Context;
  input: SearchFilter;
}): AsyncGenerator<string, void, undefined> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "messages.read");
  yield* csvOf(COLUMNS, batchesOf(ctx, await openSearch(ctx, input)));
}

async function* batchesOf(ctx: Context, search: Search): AsyncGenerator<readonly ExportedMessage[]> {
  for (let before: number | null = SEQUENCE_MAX; before !== null;) {
    const { rows, next }: FoundRows = await search.page(before, BATCH_MAX);
    const resends = await resendsOf(ctx, rows);
    yield rows.map((row) => ({
      ...summaryOf(row, null),
      requestId: row.requestId,
      upstreamId: row.upstreamId,
      explanation: explainExported(row, resends.get(row.id) ?? []),
    }));
    before = next;
  }
}

/** Returns the states of messages that were sent again, by the failed message. */
async function resendsOf(
  { services, actor }: Context,
  rows: readonly SummaryRow[],
): Promise<ReadonlyMap<string, readonly DeliveryState[]>> {
  const failed = rows.filter(({ state }) => state === "failed").map(({ id }) => id);
  if (failed.length === 0) return new Map();
  const found = await services.sql<{ resendOf: string; states: DeliveryState[] }[]>`
    select resend_of as "resendOf", array_agg(state) as states from messages
    where resend_of = any(${failed}::uuid[]) and organization_id = ${actor.organizationId}
    group by resend_of`;
  return new Map(found.map(({ resendOf, states }) => [resendOf, states]));
}

function explainExported(row: SummaryRow, resends: readonly DeliveryState[]): Explanation | null {
  const pendingReason = row.state === "queued" ? pendingReasonOf(row) : null;
  if (row.state === "queued" && pendingReason === null) return null;
  return explainRow(row, { pendingReason, pendingError: null, resends });
}

/** In the order of pending.ts, without reasons that change within seconds. */
function pendingReasonOf(row: SummaryRow): PendingReason | null {
  if (row.inDoubtSince !== null) return "confirmation";
  if (row.erasedAt !== null) return "erasure";
  if (row.isChannelDisabled) return "channel_disabled";
  return row.isChannelPaused ? "channel_paused" : null;
}
