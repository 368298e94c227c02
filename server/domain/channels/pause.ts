import type { TransactionSql } from "@/db/client";
import { PAUSE_REASONS, type PauseReason } from "@/server/adapters/whatsapp/pause-reasons";

export interface Pause {
  readonly channelId: string;
  readonly organizationId: string;
  readonly reason: PauseReason;
  /** The upstream's own code and words. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Until a paused channel is asked for the first time whether it works again, by what can tell. */
export const PROBE_SECONDS = { number: 60, message: 3600 } as const;

/**
 * Pauses channels that aren't yet: from the commit on, nothing more of them is handed over. The first reason stays.
 * @returns those that this call paused.
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
