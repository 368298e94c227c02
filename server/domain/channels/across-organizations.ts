import type { Executor } from "@/db/client";
import type { CallableChannel } from "./caller";

/** A channel that isn't disabled, of any organization. */
export interface ExaminedChannel extends CallableChannel {
  readonly name: string;
  readonly pausedAt: Date | null;
  readonly pauseReason: string | null;
  readonly pauseDetail: unknown;
}

export async function channelsInUse(sql: Executor): Promise<readonly ExaminedChannel[]> {
  return sql<ExaminedChannel[]>`
    select id, name, upstream, phone_number_id as "phoneNumberId", access_token_encrypted as "accessTokenEncrypted",
      paused_at as "pausedAt", pause_reason as "pauseReason", pause_detail as "pauseDetail"
    from channels where disabled_at is null order by id`;
}

/** Minutes since callbacks could last be accepted and processed; null if they never could. */
export async function intakeMinutesAgo(sql: Executor): Promise<number | null> {
  const [row] = await sql<{ minutes: number | null }[]>`
    select floor(extract(epoch from now()) / 60)::int - max(minute) as minutes from intake_minutes`;
  return row?.minutes ?? null;
}

export interface WaitingCallback {
  readonly seconds: number;
  /** Number of tries. */
  readonly tries: number;
}

/** Returns the oldest stored callback that isn't processed; null if there is none. */
export async function oldestWaitingCallback(sql: Executor): Promise<WaitingCallback | null> {
  const [row] = await sql<WaitingCallback[]>`
    -- One look into the index for each channel, however many wait.
    select extract(epoch from now() - o.received_at)::float8 as seconds, o.tries
    from channels c cross join lateral (
      select received_at, tries from upstream_callbacks u
      where u.channel_id = c.id and u.processed_at is null order by u.received_at limit 1) o
    order by o.received_at limit 1`;
  return row ?? null;
}

export interface CallbackProblem {
  readonly problem: string;
  readonly callbacks: number;
}

const CALLBACKS_EXAMINED_MAX = 10_000;

/**
 * Returns parts of the last day's callbacks that weren't understood, most frequent first. Examines the newest callbacks
 * of each organization.
 */
export async function callbackProblems(sql: Executor): Promise<readonly CallbackProblem[]> {
  return sql<CallbackProblem[]>`
    select c.problem, count(*)::int as callbacks
    from organizations o cross join lateral (
      select u.problem from upstream_callbacks u
      where u.organization_id = o.id and u.processed_at is not null and u.received_at > now() - interval '1 day'
      order by u.received_at desc limit ${CALLBACKS_EXAMINED_MAX}) c
    where c.problem is not null group by c.problem order by callbacks desc, c.problem`;
}

export interface Unconfirmed {
  readonly messages: number;
  readonly oldestSeconds: number;
}

/** Counts messages that wait for confirmation: the response to their call was lost. */
export async function unconfirmed(sql: Executor): Promise<Unconfirmed> {
  const [row] = await sql<Unconfirmed[]>`
    select count(*)::int as messages,
      coalesce(max(extract(epoch from now() - in_doubt_since)), 0)::float8 as "oldestSeconds"
    from messages where is_queued and in_doubt_since is not null`;
  return row ?? { messages: 0, oldestSeconds: 0 };
}

export interface Silence {
  readonly channelId: string;
  readonly channelName: string;
  /** Messages that the upstream accepted between ten minutes and a day ago. Only the newest hundred count. */
  readonly accepted: number;
  /** Those among them without any status. */
  readonly silent: number;
  /** When the oldest of those was handed over. */
  readonly silentSince: Date | null;
}

const MESSAGES_EXAMINED_MAX = 100;
const STATUS_DUE_AFTER_MINUTES = 10;
const STATUS_SEARCH_HOURS = 24;

/**
 * Returns for each channel how many of its newest messages, once accepted by the upstream, never got a status. Leaves
 * out channels without any. Costs one index walk per channel, however much was sent.
 * @param organizationId null for the channels of all organizations.
 */
export async function silences(
  sql: Executor,
  organizationId: string | null = null,
): Promise<readonly Silence[]> {
  return sql<Silence[]>`
    select c.id as "channelId", c.name as "channelName", count(*)::int as accepted,
      count(*) filter (where n.is_silent)::int as silent, min(n.started_at) filter (where n.is_silent) as "silentSince"
    from channels c cross join lateral (
      select a.started_at, not exists (
        select from message_events e where e.message_id = a.message_id and e.source_key like 'callback:%') as is_silent
      from message_attempts a
      where a.channel_id = c.id and a.outcome = 'accepted'
        and a.started_at > now() - make_interval(hours => ${STATUS_SEARCH_HOURS})
        and a.started_at < now() - make_interval(mins => ${STATUS_DUE_AFTER_MINUTES})
      order by a.started_at desc limit ${MESSAGES_EXAMINED_MAX}) n
    where ${organizationId}::uuid is null or c.organization_id = ${organizationId}
    group by c.id, c.name order by c.id`;
}
