import type { z } from "zod";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { type CsvColumns, csvOf } from "@/server/lib/csv";
import { summarizeUsage, summarizeUsageInput } from "./summary";
import type { UsagePoint } from "./view";

const COLUMNS: CsvColumns<UsagePoint> = {
  from: ({ startsAt }) => startsAt,
  to: ({ endsAt }) => endsAt,
  accepted: ({ accepted }) => accepted,
  queued: ({ queued }) => queued,
  sent: ({ sent }) => sent,
  delivered: ({ delivered }) => delivered,
  read: ({ read }) => read,
  failed: ({ failed }) => failed,
  refused_requests: ({ refused }) => refused,
  to_whatsapp_p50_ms: ({ handedOverAfter }) => handedOverAfter.p50Ms,
  to_whatsapp_p95_ms: ({ handedOverAfter }) => handedOverAfter.p95Ms,
  to_delivery_p50_ms: ({ deliveredAfter }) => deliveredAfter.p50Ms,
  to_delivery_p95_ms: ({ deliveredAfter }) => deliveredAfter.p95Ms,
};

/**
 * Exports the points of `summarizeUsage`, one row for each hour or day, as the chunks of a CSV file.
 * @throws WaypostError before the first chunk: those of `summarizeUsage`.
 */
export async function* exportUsage(args: {
  ctx: Context;
  input: z.input<typeof summarizeUsageInput>;
}): AsyncGenerator<string, void, undefined> {
  const { points } = await summarizeUsage({
    ctx: args.ctx,
    input: parseInput(summarizeUsageInput, args.input),
  });
  yield* csvOf(COLUMNS, batchesOf(points));
}

async function* batchesOf(points: readonly UsagePoint[]): AsyncGenerator<readonly UsagePoint[]> {
  yield points;
}
