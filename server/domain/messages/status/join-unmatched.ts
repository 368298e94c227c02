import type { SqlFragment } from "@/db/client";
import type { Services } from "@/server/core/context";
import { applyKept, type KeptStatus } from "./apply-kept";

const BATCH_MAX = 100;

/** A status that overtakes its message's wamid does so by moments. */
const RECENT_MINUTES = 15;

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
    upstreamIds ? sql`u.upstream_id = any(${[...upstreamIds]}::text[])` : sql`true`,
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
