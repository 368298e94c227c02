import type { Services } from "@/server/core/context";
import { applyKept, type KeptStatus } from "./apply-kept";

interface FoundFailure extends KeptStatus {
  readonly messageId: string;
}

const BATCH_MAX = 100;
/** Far longer than an attempt stays in doubt: later no match is possible. */
const EXAMINED_FOR = "1 day";

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
