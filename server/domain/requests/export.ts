import type { z } from "zod";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { type CsvColumns, csvOf } from "@/server/lib/csv";
import { parseInput } from "@/server/core/input/parse-input";
import { requireKnownKey } from "./require-known-key";
import { filterSchema, type RefusalFilter } from "./schemas";
import { type Position, selectPage } from "./select-page";
import { type RefusedRequestView, viewOf } from "./view";

const BATCH = 500;

const COLUMNS: CsvColumns<RefusedRequestView> = {
  at: ({ at }) => at,
  request_id: ({ requestId }) => requestId,
  key_id: ({ key }) => key.id,
  key_name: ({ key }) => key.name,
  key_prefix: ({ key }) => key.prefix,
  method: ({ method }) => method,
  route: ({ route }) => route,
  status: ({ status }) => status,
  code: ({ code }) => code,
  field: ({ field }) => field,
  client_message_id: ({ clientMessageId }) => clientMessageId,
  duration_ms: ({ durationMs }) => durationMs,
  meaning: ({ explanation }) => explanation?.message ?? null,
  what_to_do: ({ explanation }) => explanation?.nextStep ?? null,
  what_the_program_does: ({ explanation }) => explanation?.remedy ?? null,
};

/**
 * Exports everything that `listRequests` lists as the chunks of a CSV file: never more than one batch in memory.
 * @throws WaypostError before the first chunk: `permission_denied` without `requests.read`; `key_not_found`;
 * `validation_failed`.
 */
export async function* exportRequests(args: {
  ctx: Context;
  input: z.input<typeof filterSchema>;
}): AsyncGenerator<string, void, undefined> {
  const { ctx } = args;
  requireCapability(ctx.actor, "requests.read");
  const filter = parseInput(filterSchema, args.input);
  if (filter.keyId !== undefined) await requireKnownKey(ctx, filter.keyId);
  yield* csvOf(COLUMNS, batches(ctx, filter));
}

async function* batches(ctx: Context, filter: RefusalFilter): AsyncGenerator<readonly RefusedRequestView[]> {
  let before: Position | null = null;
  do {
    const { rows, next } = await selectPage(ctx, filter, { before, limit: BATCH });
    yield rows.map(viewOf);
    before = next;
  } while (before !== null);
}
