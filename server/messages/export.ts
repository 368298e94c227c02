import { requireMemberCapability } from "../capabilities";
import type { Context } from "../context";
import { type CsvColumns, csvOf } from "../csv";
import { type FoundRows, openSearch, type Search } from "./search";
import { type SearchFilter, SEQUENCE_MAX } from "./search-filter";
import { type MessageSummary, summaryOf } from "./search-rows";

/** Rows of one statement, and of one chunk. */
const BATCH_MAX = 500;

const COLUMNS: CsvColumns<MessageSummary> = {
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
  resend: ({ error }) => error?.resend ?? null,
  accepted_at: (row) => row.createdAt,
  sent_at: (row) => row.sentAt,
  delivered_at: (row) => row.deliveredAt,
  read_at: (row) => row.readAt,
  failed_at: (row) => row.failedAt,
  in_doubt_since: (row) => row.inDoubtSince,
  erased_at: (row) => row.erasedAt,
};

/**
 * What a search finds, as CSV, newest first; without what the messages say. Needs as much memory for ten million rows as
 * for ten, and asks for no more once its reader leaves.
 * @throws WaypostError as `searchMessages` does, before the first chunk.
 */
export async function* exportMessages(args: {
  ctx: Context;
  input: SearchFilter;
}): AsyncGenerator<string, void, undefined> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "messages.read");
  yield* csvOf(COLUMNS, batchesOf(await openSearch(ctx, input)));
}

async function* batchesOf(search: Search): AsyncGenerator<readonly MessageSummary[]> {
  for (let before: number | null = SEQUENCE_MAX; before !== null;) {
    const { rows, next }: FoundRows = await search.page(before, BATCH_MAX);
    yield rows.map((row) => summaryOf(row, null));
    before = next;
  }
}
