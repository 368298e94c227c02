import type { Executor } from "@/db/client";

export interface QueueAge {
  /** Since the message that waits the longest could have been claimed; null when none waits. */
  readonly oldestDueSeconds: number | null;
  /** Channels with a message that could be claimed. */
  readonly channels: number;
}

/**
 * How long the queue makes messages wait, across organizations. What waits for a reason of its own doesn't count: a
 * paused channel, a customer's pair limit, an earlier message of the conversation, confirmation.
 */
export async function queueAge(sql: Executor): Promise<QueueAge> {
  const [row] = await sql<QueueAge[]>`
    select max(extract(epoch from now() - d.at)::float8) as "oldestDueSeconds", count(*)::int as channels
    from channels c cross join lateral (
      select m.next_attempt_at as at from messages m join conversations v on v.id = m.conversation_id
      where m.channel_id = c.id and m.is_queued and m.claim_token is null and m.in_doubt_since is null
        and m.next_attempt_at <= now() and (v.blocked_until is null or v.blocked_until <= now())
        and not exists (
          select from messages e
          where e.conversation_id = m.conversation_id and e.is_queued and e.accept_seq < m.accept_seq
            and e.in_doubt_since is null and (e.hold_until is null or e.hold_until > now()))
      order by m.next_attempt_at, m.accept_seq limit 1) d
    where c.paused_at is null and c.disabled_at is null`;
  return row ?? { oldestDueSeconds: null, channels: 0 };
}
