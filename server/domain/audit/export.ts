import { z } from "zod";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { csvOf, type CsvColumns } from "@/server/lib/csv";
import { parseInput } from "@/server/core/input/parse-input";
import { isUuid } from "@/server/lib/uuid";
import { auditFilterInput, namedBy } from "./list";
import { type AuditPosition, selectAudit } from "./select";
import type { AuditView } from "./view";

export const exportAuditInput = z.strictObject(auditFilterInput);

const BATCH_MAX = 500;

const COLUMNS: CsvColumns<AuditView> = {
  time: ({ at }) => at,
  actor_kind: ({ actor }) => actor.kind,
  actor_id: ({ actor }) => actor.id,
  actor: ({ actor }) => actor.name,
  actor_email: ({ actor }) => actor.email,
  action: ({ action }) => action,
  words: ({ words }) => words,
  subject_kind: ({ subject }) => subject.kind,
  subject_id: ({ subject }) => subject.id,
  subject: ({ subject }) => subject.name,
  address: ({ address }) => address,
  request_id: ({ requestId }) => requestId,
  detail: ({ detail }) => (Object.keys(detail).length === 0 ? null : JSON.stringify(detail)),
  id: ({ id }) => id,
};

/**
 * Exports everything that `listAudit` lists as CSV. It is streamed in chunks, so that memory use doesn't depend on the
 * length. The export stops when the reader stops.
 * @throws WaypostError `permission_denied` without `audit.read`, `validation_failed`: with the first chunk.
 */
export async function* exportAudit(args: {
  ctx: Context;
  input: z.input<typeof exportAuditInput>;
}): AsyncGenerator<string, void, undefined> {
  const { ctx } = args;
  requireCapability(ctx.actor, "audit.read");
  const filter = parseInput(exportAuditInput, args.input);
  yield* csvOf(COLUMNS, batches(ctx, filter));
}

async function* batches(ctx: Context, { q, ...filter }: z.output<typeof exportAuditInput>) {
  if (filter.subjectId !== undefined && !isUuid(filter.subjectId)) return;
  const named = await namedBy(ctx, q);
  let after: AuditPosition | null = null;
  do {
    const batch: Awaited<ReturnType<typeof selectAudit>> = await selectAudit(ctx, {
      filter,
      named,
      after,
      rowsMax: BATCH_MAX,
    });
    yield batch.rows.map(({ view }) => view);
    const last = batch.rows.at(-1);
    after = batch.rows.length === BATCH_MAX && last !== undefined ? last.position : batch.examinedUntil;
  } while (after !== null);
}
