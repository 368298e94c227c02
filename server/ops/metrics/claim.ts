import type { Executor } from "@/db/client";
import { isPauseReason, type PauseReason } from "@/server/adapters/whatsapp/pause-reasons";
import { COUNTED_MAX } from "@/server/adapters/metrics/queue-metrics";

/** Counts messages in the state queued, of all organizations, up to `COUNTED_MAX`. */
export async function queuedMessages(sql: Executor): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select from messages where is_queued and created_at > '-infinity' limit ${COUNTED_MAX}) q`;
  return row?.count ?? 0;
}

/** Counts statuses that wait for their message, of all organizations, up to `COUNTED_MAX`. */
export async function unmatchedStatuses(sql: Executor): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (select from unmatched_statuses limit ${COUNTED_MAX}) s`;
  return row?.count ?? 0;
}

export interface ChannelCounts {
  readonly inUse: number;
  readonly paused: ReadonlyMap<PauseReason | "other", number>;
}

/** Counts channels that aren't disabled, of all organizations. */
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

export interface WebhookCounts {
  /** 0 if no delivery is waiting. */
  readonly oldestDueSeconds: number;
  readonly endpoints: readonly { readonly state: string; readonly count: number }[];
}

/** Counts webhooks of all organizations. Deliveries to an endpoint in back-off don't count as due. */
export async function webhookCounts(sql: Executor): Promise<WebhookCounts> {
  const endpoints = await sql<{ state: string; count: number }[]>`
    select case when disabled_at is not null then 'disabled_' || disabled_reason
        when failing_since is not null then 'failing' else 'working' end as state, count(*)::int as count
    from webhook_endpoints where deleted_at is null group by 1`;
  const [due] = await sql<{ seconds: number | null }[]>`
    select extract(epoch from now() - min(oldest))::float8 as seconds from (
      select (select d.next_attempt_at from webhook_deliveries d
        where d.endpoint_id = e.id and d.is_pending and d.claim_token is null
        order by d.next_attempt_at limit 1) as oldest
      from webhook_endpoints e
      where e.deleted_at is null and e.disabled_at is null and e.url is not null and e.backoff_streak = 0) o
    where oldest <= now()`;
  return { oldestDueSeconds: due?.seconds ?? 0, endpoints };
}

/**
 * Returns the time since the last callback, on any channel. Null before the first one, and after retention has deleted
 * the last one.
 */
export async function callbackAgeSeconds(sql: Executor): Promise<number | null> {
  // Ids begin with their time, so the last one in the primary key is the newest.
  const [row] = await sql<{ seconds: number }[]>`
    select extract(epoch from now() - received_at)::float8 as seconds from upstream_callbacks
    order by id desc limit 1`;
  return row?.seconds ?? null;
}
