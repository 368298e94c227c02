import { z } from "zod";
import type { Context, Services } from "../context";
import { isErrorCode } from "../errors";
import { applyStatuses, type StatusReport } from "./apply-statuses";

const storedReport = z.object({
  upstreamId: z.string(),
  messageId: z.string().nullable(),
  kind: z.enum(["sent", "delivered", "read", "failed"]),
  upstreamAt: z.coerce.date().nullable(),
  recipient: z.string().nullable(),
  errorCode: z.string().refine(isErrorCode).nullable(),
  detail: z.record(z.string(), z.unknown()).nullable(),
}) satisfies z.ZodType<StatusReport>;

interface UnmatchedRow {
  readonly id: string;
  readonly organizationId: string;
  readonly channelId: string;
  readonly entry: unknown;
}

const BATCH_MAX = 100;

/**
 * Joins kept statuses to messages whose wamid is known by now. Call it in a statement after the commit that stored the
 * wamid: the two transactions can otherwise miss each other, and the sweep joins what still was missed.
 * @param upstreamIds only these wamids; all when absent.
 * @returns how many were joined.
 */
export async function joinUnmatched(services: Services, upstreamIds?: readonly string[]): Promise<number> {
  const rows = await services.sql<UnmatchedRow[]>`
    select u.id, u.organization_id as "organizationId", u.channel_id as "channelId", u.entry
    from unmatched_statuses u
    where ${upstreamIds ? services.sql`u.upstream_id = any(${[...upstreamIds]}::text[]) and` : services.sql``}
      exists (select from messages m where m.channel_id = u.channel_id and m.upstream_id = u.upstream_id)
    order by u.created_at, u.id limit ${BATCH_MAX}`;
  for (const row of rows) await joinOne(services, row);
  return rows.length;
}

async function joinOne(services: Services, row: UnmatchedRow): Promise<void> {
  const parsed = storedReport.safeParse(row.entry);
  if (parsed.success) {
    const actor = { kind: "system", organizationId: row.organizationId, job: "join-statuses" } as const;
    const ctx: Context = { services, actor, requestId: null };
    await applyStatuses({ ctx, input: { channelId: row.channelId, reports: [parsed.data] } });
  } else {
    services.log.error({ unmatchedStatus: row.id }, "a kept status can't be read; it is dropped");
  }
  await services.sql`
    delete from unmatched_statuses where organization_id = ${row.organizationId} and id = ${row.id}`;
}
