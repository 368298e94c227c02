import type { Executor, SqlFragment } from "@/db/client";

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
