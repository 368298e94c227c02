import type { TransactionSql, Executor, SqlFragment } from "@/db/client";
import { PAUSE_REASONS, type PauseReason } from "@/server/adapters/whatsapp/pause-reasons";

export interface Pause {
  readonly channelId: string;
  readonly organizationId: string;
  readonly reason: PauseReason;
  /** The upstream's error code and message. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Time until the first probe of a paused channel, by the kind of probe. */
export const PROBE_SECONDS = { number: 60, message: 3600 } as const;

/**
 * Pauses channels that aren't paused yet: from the commit on, no more of their messages are handed over. The first
 * reason is kept.
 * @returns the channels that this call paused.
 */
export async function pauseChannels(tx: TransactionSql, pauses: readonly Pause[]): Promise<readonly Pause[]> {
  const byChannel = new Map(pauses.map((pause) => [pause.channelId, pause]));
  const sorted = [...byChannel.values()].sort((a, b) => (a.channelId < b.channelId ? -1 : 1));
  const paused: Pause[] = [];
  for (const pause of sorted) {
    const { channelId, organizationId, reason, detail } = pause;
    const rows = await tx`
      update channels set paused_at = clock_timestamp(), pause_reason = ${reason},
        pause_detail = ${JSON.stringify(detail)}::text::jsonb,
        next_probe_at = clock_timestamp() + make_interval(secs => ${PROBE_SECONDS[PAUSE_REASONS[reason].probe]})
      where organization_id = ${organizationId} and id = ${channelId} and paused_at is null
      returning id`;
    if (rows.length > 0) paused.push(pause);
  }
  return paused;
}

export interface EndedPause {
  readonly channelId: string;
  /** Why it was paused. */
  readonly reason: string;
}

/**
 * Ends the pauses of channels: their messages are handed over again.
 * @param which condition on channels `c`, evaluated under their locks. Channels that aren't paused stay unchanged.
 * @returns the pauses that this call ended.
 */
export function endPauses(sql: Executor, which: SqlFragment): Promise<readonly EndedPause[]> {
  return sql<EndedPause[]>`
    update channels p set paused_at = null, pause_reason = null, pause_detail = null, next_probe_at = null
    from (
      select c.id, c.pause_reason from channels c
      where c.paused_at is not null and ${which} order by c.id for no key update) ended
    where p.id = ended.id
    returning ended.id as "channelId", ended.pause_reason as reason`;
}
