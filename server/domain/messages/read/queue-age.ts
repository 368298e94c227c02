import type { Executor } from "@/db/client";
import { aheadOfReaction } from "../deliver/reaction-order";

/** How long messages wait for the queue alone. Messages whose call is running don't count. */
export interface QueueAge {
  /**
   * How many seconds the longest-waiting claimable message has waited. Null if no message waits only for a process.
   */
  readonly oldestDueSeconds: number | null;
  /** Channels with such a message. */
  readonly channels: number;
  /**
   * The same for a message that waits for an earlier one of its conversation which is due or being called; null if
   * there is none.
   */
  readonly oldestBehindSeconds: number | null;
}

/** Maximum messages examined per channel, longest due first. */
const EXAMINED_MAX = 10_000;
/** Maximum conversations examined. */
const CONVERSATIONS_MAX = 1_000;

/**
 * Measures how long messages wait for the queue alone, across organizations. Messages that wait for another reason
 * don't count: a paused channel, a customer's pair limit, an earlier message with a pending retry, confirmation. A
 * message behind another one could have been claimed since that one ended. A long conversation in progress therefore
 * has old messages behind others, but none that is due for long.
 */
export async function queueAge(sql: Executor): Promise<QueueAge> {
  const [row] = await sql<QueueAge[]>`
    with oldest as materialized (
      select m.* from channels c cross join lateral (
        select m.channel_id, m.conversation_id, m.accept_seq, m.type = 'reaction' as is_reaction,
          -- A reaction is due before it exists.
          case when m.type = 'reaction' then greatest(m.next_attempt_at, m.created_at) else m.next_attempt_at end
            as next_attempt_at
        from messages m
        where m.channel_id = c.id and m.is_queued and m.claim_token is null and m.in_doubt_since is null
          and m.next_attempt_at <= now()
          and case when m.type = 'reaction' then not exists (${aheadOfReaction(sql)}) else true end
        order by m.next_attempt_at, m.accept_seq limit ${EXAMINED_MAX}) m
      where c.paused_at is null and c.disabled_at is null),
    -- Each conversation's first message that holds those after it: one look for each, however many stand behind it.
    heads as materialized (
      select v.id as conversation_id, v.blocked_until, h.accept_seq, h.waits
      from (
        select conversation_id, row_number() over (partition by channel_id order by min(next_attempt_at)) as place
        from oldest group by channel_id, conversation_id) o
      join conversations v on v.id = o.conversation_id and (v.blocked_until is null or v.blocked_until <= now())
      left join lateral (
        select q.accept_seq, q.claim_token is null and q.next_attempt_at > now() as waits from messages q
        where q.conversation_id = v.id and q.is_queued and q.accept_seq > 0 and q.in_doubt_since is null and q.type <> 'reaction'
          and (q.hold_until is null or q.hold_until > now())
        order by q.accept_seq limit 1) h on true
      where o.place <= ${CONVERSATIONS_MAX}),
    waiting as (
      select o.*, h.blocked_until, h.waits, coalesce(not o.is_reaction and o.accept_seq > h.accept_seq, false) as is_behind
      from oldest o join heads h on h.conversation_id = o.conversation_id)
    select max(extract(epoch from now() - greatest(w.next_attempt_at, w.blocked_until, before.ended_at))::float8)
        filter (where not w.is_behind) as "oldestDueSeconds",
      count(distinct w.channel_id) filter (where not w.is_behind)::int as channels,
      max(extract(epoch from now() - w.next_attempt_at)::float8)
        filter (where w.is_behind and not w.waits) as "oldestBehindSeconds"
    from waiting w left join lateral (
      -- One that is queued still has let those after it pass.
      select case when q.is_queued then greatest(q.hold_until, q.in_doubt_since)
        else least(greatest(q.sent_at, q.failed_at), now()) end as ended_at
      from messages q
      where not w.is_behind and not w.is_reaction and q.conversation_id = w.conversation_id and q.accept_seq < w.accept_seq
        and q.erased_at is null and q.kind = 'outbound'
      order by q.accept_seq desc limit 1) before on true`;
  return row ?? { oldestDueSeconds: null, channels: 0, oldestBehindSeconds: null };
}
