import type { Services } from "../context";
import { applyKept, type KeptStatus } from "./apply-kept";

const BATCH_MAX = 100;

/**
 * Joins kept statuses to messages whose wamid is known by now. Call it in a statement after the commit that stored the
 * wamid: the two transactions can otherwise miss each other, and the sweep joins what still was missed.
 * @param upstreamIds only these wamids; all when absent.
 * @returns how many were joined.
 */
export async function joinUnmatched(services: Services, upstreamIds?: readonly string[]): Promise<number> {
  const rows = await services.sql<KeptStatus[]>`
    select u.id, u.organization_id as "organizationId", u.channel_id as "channelId", u.entry
    from unmatched_statuses u
    where ${upstreamIds ? services.sql`u.upstream_id = any(${[...upstreamIds]}::text[]) and` : services.sql``}
      exists (select from messages m where m.channel_id = u.channel_id and m.upstream_id = u.upstream_id)
    order by u.created_at, u.id limit ${BATCH_MAX}`;
  for (const row of rows) await applyKept(services, row);
  return rows.length;
}
