import type { Executor } from "@/db/client";
import { isPauseReason, type PauseReason } from "../channels/pause-reasons";
import { COUNTED_MAX } from "./catalogue";

/** Messages in the state queued, of all organizations; counted no further than `COUNTED_MAX`. */
export async function queuedMessages(sql: Executor): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select from messages where is_queued and created_at > '-infinity' limit ${COUNTED_MAX}) q`;
  return row?.count ?? 0;
}

/** Statuses that wait for their message, of all organizations; counted no further than `COUNTED_MAX`. */
export async function unmatchedStatuses(sql: Executor): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (select from unmatched_statuses limit ${COUNTED_MAX}) s`;
  return row?.count ?? 0;
}

export interface ChannelCounts {
  readonly inUse: number;
  readonly paused: ReadonlyMap<PauseReason | "other", number>;
}

/** Channels that aren't disabled, of all organizations. */
export async function channelCounts(sql: Executor): Promise<ChannelCounts> {
  const rows = await sql<{ reason: string | null; count: number }[]>`
    select pause_reason as reason, count(*)::int as count from channels where disabled_at is null group by pause_reason`;
  const paused = new Map<PauseReason | "other", number>();
  for (const { reason, count } of rows) {
    if (reason === null) continue;
    const name = isPauseReason(reason) ? reason : "other";
    paused.set(name, (paused.get(name) ?? 0) + count);
  }
  return { inUse: rows.reduce((sum, { count }) => sum + count, 0), paused };
}

/** Since the last callback came, on any channel; null before the first, and once the last is deleted by retention. */
export async function callbackAgeSeconds(sql: Executor): Promise<number | null> {
  // Ids begin with their time: the last of the key is the newest.
  const [row] = await sql<{ seconds: number }[]>`
    select extract(epoch from now() - received_at)::float8 as seconds from upstream_callbacks
    order by id desc limit 1`;
  return row?.seconds ?? null;
}
