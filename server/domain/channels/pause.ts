import type { TransactionSql } from "@/db/client";
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
