import { randomUUID } from "node:crypto";
import type { Sql, SqlFragment } from "@/db/client";
import type { Services } from "@/server/core/context";
import { fromNow, type QueueState } from "@/server/core/queue/drain";
import { aheadOfReaction } from "./reaction-order";

/**
 * A message that this process may work on until its lease ends. A claim can span organizations: each row has its own.
 */
export interface ClaimedMessage {
  readonly id: string;
  readonly organizationId: string;
  readonly claimToken: string;
}

/** Creates a token before a claim. It identifies rows that a broken connection left claimed. */
export const newClaimToken = (): string => randomUUID();

/** All or some of the messages of one claim. */
export interface Claim {
  readonly token: string;
  /** Restricts it to these messages; all if absent. */
  readonly messageIds?: readonly string[];
}

/** Long enough for a call and for storing its response. The sweep releases expired claims. */
const LEASE_SECONDS = 60;
/** Maximum number of conversation heads with a pending retry that one claim reads. */
const HELD_MAX = 200;

/**
 * SQL: claims due messages of a channel: only heads of conversations. An earlier waiting message holds back later ones,
 * unless the outcome of its call is unknown or its hold has expired. Reactions neither wait for them nor hold them back:
 * one waits for the message that it belongs to, and for earlier reactions to the same message.
 * @param options.isProbe for a paused channel only, to test whether it works again.
 * @returns the common table expressions `due`, and `claimed` with the claimed rows of `messages`.
 */
export const claimDueMessages = (
  sql: Sql,
  channelId: string,
  max: number,
  token: string,
  { isProbe }: { isProbe: boolean },
): SqlFragment => sql`
  due as materialized (
    select m.id from messages m
    join conversations v on v.id = m.conversation_id
    -- Nothing of a channel that is paused or disabled is looked at, however much waits there.
    where m.channel_id = (select c.id from channels c
        where c.id = ${channelId} and (c.paused_at is not null) = ${isProbe} and c.disabled_at is null)
      and m.is_queued and m.claim_token is null
      and m.in_doubt_since is null and m.next_attempt_at <= now()
      -- What waits behind a head that is claimed or is to be tried again is passed over without a look at each, as far as
      -- the heads are few enough to be read at once. One that was held itself may stand before such a head.
      and (m.hold_until is not null or m.type = 'reaction' or m.conversation_id not in (
        select conversation_id from (
          select h.conversation_id from messages h
          where h.channel_id = ${channelId} and h.type <> 'reaction' and h.is_queued and h.claim_token is null and h.in_doubt_since is null
            and h.next_attempt_at > now() and (h.hold_until is null or h.hold_until > now())
          order by h.next_attempt_at limit ${HELD_MAX}) waiting
        union all
        select h.conversation_id from messages h
        where h.channel_id = ${channelId} and h.type <> 'reaction' and h.is_queued and h.claim_token is not null and h.in_doubt_since is null
          and (h.hold_until is null or h.hold_until > now())))
      and (v.blocked_until is null or v.blocked_until <= now())
      and case when m.type = 'reaction' then not exists (${aheadOfReaction(sql)}) else not exists (
        select from messages e
        where e.conversation_id = m.conversation_id and e.type <> 'reaction' and e.is_queued and e.accept_seq < m.accept_seq and e.accept_seq > 0
          and e.in_doubt_since is null and (e.hold_until is null or e.hold_until > now())
        -- Asked of each conversation: joined, the whole queue is read where the planner expects it to be short.
        offset 0) end
    order by m.next_attempt_at, m.accept_seq
    -- Unseen by the planner, which would otherwise plan each claim anew.
    limit (select ${max}::int)
    for update of m skip locked
  ), claimed as (
    update messages m
    set claim_token = ${token}, claimed_until = now() + make_interval(secs => ${LEASE_SECONDS})
    from due where m.id = due.id
    returning m.*
  )`;

/**
 * SQL: true if no message of the channel waited at the time of the claim but those in `due`. It reads one row more than
 * those, in order, not all that wait.
 */
export const nothingElseWaits = (sql: Sql, channelId: string): SqlFragment => sql`
  (select count(*) from (
    select from messages
    where channel_id = ${channelId} and is_queued and claim_token is null and in_doubt_since is null
    order by next_attempt_at limit (select count(*) + 1 from due)) w) = (select count(*) from due)`;

/** Releases the messages of a claim that have no open attempt. */
export async function releaseClaim({ sql }: Services, claim: Claim): Promise<void> {
  await sql`
    update messages m set claim_token = null, claimed_until = null
    where ${heldBy(sql, claim)}
      and not exists (select from message_attempts a where a.message_id = m.id and a.outcome is null)`;
}

/** Returns the open attempts of a claim's messages. */
export async function openAttemptsOf(
  { sql }: Services,
  claim: Claim,
): Promise<readonly { attemptId: string; messageId: string }[]> {
  return sql<{ attemptId: string; messageId: string }[]>`
    select a.id as "attemptId", m.id as "messageId"
    from messages m join message_attempts a on a.message_id = m.id and a.outcome is null
    where ${heldBy(sql, claim)}`;
}

function heldBy(sql: Sql, { token, messageIds }: Claim) {
  return sql`m.is_queued and m.claim_token is not null and m.claim_token = ${token}
    ${messageIds ? sql`and m.id = any(${[...messageIds]}::uuid[])` : sql``}`;
}

/**
 * Returns whether a message of the channel is due, and when the next one becomes due, by this process's clock. The
 * database's clock alone would be wrong if the clocks differ: the timer would fire late, or immediately and over and
 * over.
 */
export async function queueState(services: Services, channelId: string): Promise<QueueState> {
  const { sql } = services;
  const waiting = sql`
    from messages where channel_id = ${channelId} and is_queued and claim_token is null and in_doubt_since is null`;
  const [row] = await sql<{ hasDue: boolean; waitMs: number | null }[]>`
    select exists (select ${waiting} and next_attempt_at <= now()) as "hasDue",
      (select (extract(epoch from next_attempt_at - now()) * 1000)::float8 ${waiting} and next_attempt_at > now()
        order by next_attempt_at limit 1) as "waitMs"`;
  return { hasDue: row?.hasDue ?? false, nextDueAt: fromNow(row?.waitMs ?? null) };
}

/** Returns the channels with a due message: one index probe per channel that has queued messages. */
export async function dueChannels(services: Services): Promise<string[]> {
  const rows = await services.sql<{ channelId: string }[]>`
    with recursive queues as (
      (select channel_id, next_attempt_at from messages
        where is_queued and claim_token is null and in_doubt_since is null
        order by channel_id, next_attempt_at limit 1)
      union all
      select n.channel_id, n.next_attempt_at from queues q, lateral (
        select channel_id, next_attempt_at from messages
        where is_queued and claim_token is null and in_doubt_since is null and channel_id > q.channel_id
        order by channel_id, next_attempt_at limit 1) n
    )
    select q.channel_id as "channelId" from queues q
    join channels c on c.id = q.channel_id and c.paused_at is null and c.disabled_at is null
    where q.next_attempt_at <= now()`;
  return rows.map((row) => row.channelId);
}
