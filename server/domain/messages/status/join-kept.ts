import { z } from "zod";
import type { SqlFragment } from "@/db/client";
import { unseenArray } from "@/db/unseen-array";
import type { Services, Context } from "@/server/core/context";
import { isErrorCode } from "@/server/platform/errors";
import type { StatusReport } from "@/server/adapters/whatsapp/reports";
import { applyStatuses } from "./apply-statuses";

const BATCH_MAX = 100;

/** A status can arrive before its message's wamid is stored, but only by seconds. */
const RECENT_MINUTES = 15;

/** Far longer than an attempt stays in doubt: later no match is possible. */
const EXAMINED_FOR = "1 day";

/**
 * Joins kept statuses to messages whose wamid is now known. Call it in a statement after the commit that stored the
 * wamid: the two transactions can otherwise miss each other. The sweep joins any that were still missed.
 * @param upstreamIds only these wamids; if absent, every kept status is examined.
 * @returns how many were joined.
 */
export function joinUnmatched(services: Services, upstreamIds?: readonly string[]): Promise<number> {
  const { sql } = services;
  return joinMatching(
    services,
    upstreamIds ? sql`u.upstream_id = any(${unseenArray(sql, upstreamIds, "text")})` : sql`true`,
  );
}

/** The same for statuses kept within the last minutes, however many older ones are about unknown messages. */
export function joinRecentUnmatched(services: Services): Promise<number> {
  return joinMatching(
    services,
    services.sql`u.created_at > now() - make_interval(mins => ${RECENT_MINUTES})`,
  );
}

async function joinMatching(services: Services, which: SqlFragment): Promise<number> {
  const rows = await services.sql<KeptStatus[]>`
    select u.id, u.organization_id as "organizationId", u.channel_id as "channelId", u.entry
    from unmatched_statuses u
    where ${which}
      and exists (select from messages m where m.channel_id = u.channel_id and m.upstream_id = u.upstream_id)
    order by u.created_at, u.id limit ${BATCH_MAX}`;
  for (const row of rows) await applyKept(services, row);
  return rows.length;
}

interface FoundFailure extends KeptStatus {
  readonly messageId: string;
}

/**
 * Joins kept failures that name no message to the only attempt that each can be about: in doubt now, started before the
 * failure arrived, and the only such attempt to that number whose outcome is unknown. Call it when an attempt has
 * become uncertain; the sweep finds failures that arrived at the same moment.
 * @returns how many were joined.
 */
export async function joinFailures(services: Services): Promise<number> {
  const rows = await services.sql<FoundFailure[]>`
    select u.id, u.organization_id as "organizationId", u.channel_id as "channelId", u.entry,
      found.message_id as "messageId"
    from unmatched_statuses u cross join lateral (
      select min(a.message_id::text)::uuid as message_id from message_attempts a
      where a.organization_id = u.organization_id and a.channel_id = u.channel_id and a.recipient = u.recipient
        and (a.outcome is null or a.outcome = 'uncertain') and a.started_at <= u.created_at
      having count(*) = 1 and count(a.outcome) = 1) found
    where u.recipient is not null and u.created_at > now() - ${EXAMINED_FOR}::interval
    order by u.created_at, u.id limit ${BATCH_MAX}`;
  for (const { messageId, ...kept } of rows) await applyKept(services, kept, messageId);
  return rows.length;
}

/** A status that was kept because its message wasn't known. */
interface KeptStatus {
  readonly id: string;
  readonly organizationId: string;
  readonly channelId: string;
  readonly entry: unknown;
}

const storedReport = z.object({
  upstreamId: z.string(),
  messageId: z.string().nullable(),
  kind: z.enum(["sent", "delivered", "read", "failed"]),
  upstreamAt: z.coerce.date().nullable(),
  recipient: z.string().nullable(),
  errorCode: z.string().refine(isErrorCode).nullable(),
  detail: z.record(z.string(), z.unknown()).nullable(),
}) satisfies z.ZodType<StatusReport>;

/**
 * Applies a kept status whose message is now known, and deletes it.
 * @param messageId if the status itself doesn't name the message.
 */
async function applyKept(services: Services, kept: KeptStatus, messageId?: string): Promise<void> {
  const { id, organizationId, channelId, entry } = kept;
  const parsed = storedReport.safeParse(entry);
  if (parsed.success) {
    const report = messageId === undefined ? parsed.data : { ...parsed.data, messageId };
    const actor = { kind: "system", organizationId, job: "join-statuses" } as const;
    const ctx: Context = { services, actor, requestId: null };
    await applyStatuses({ ctx, input: { channelId, reports: [report] } });
  } else {
    services.log.error({ unmatchedStatus: id }, "a stored status can't be read: it is deleted");
  }
  await services.sql`
    delete from unmatched_statuses where organization_id = ${organizationId} and id = ${id}`;
}
