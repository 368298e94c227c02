import type { Executor } from "@/db/client";
import type { Services } from "@/server/core/context";
import { atOnce, runStep, type SweepStep } from "@/server/core/queue/sweep-step";
import { unanswered } from "@/server/adapters/whatsapp/answer";
import { dueChannels } from "./deliver/claim";
import { failWithoutCall } from "./deliver/fail-without-call";
import { joinRecentUnmatched, joinUnmatched, joinFailures } from "./status/join-kept";
import { attemptsInFlight } from "./deliver/hand-over";
import { EXPIRES_AFTER } from "./deliver/open-attempts";
import { recordOutcomes } from "./deliver/record-outcomes";
import { isBackedOff } from "./status/claim-backoff";

/** Maximum rows locked together. */
const BATCH_MAX = 100;

/** Repairs message state after a crash or a lost wake-up, except for steps that wait for the upstream. */
export const MESSAGE_STEPS: readonly SweepStep[] = [
  { name: "doubt attempts past their deadline", settle: doubtOverdueAttempts },
  { name: "release claims that ran out", settle: releaseExpiredClaims },
  { name: "fail unconfirmed messages", settle: failUnconfirmed },
  { name: "fail expired messages", settle: failExpired },
  { name: "join kept statuses", settle: joinRecentUnmatched },
  { name: "join kept failures", settle: joinFailures },
  { name: "wake channels with something due", settle: atOnce(notifyDueChannels) },
];

/** Checks that would examine too many rows for the ten-second sweep. Never throws. */
export async function sweepOldStatuses(services: Services): Promise<void> {
  await runStep(services, { name: "join kept statuses of any age", settle: joinUnmatched });
}

/** Notifies every channel that has a due message. */
async function notifyDueChannels(services: Services): Promise<void> {
  for (const channelId of await dueChannels(services)) services.jobs.notifyChannel(channelId);
}

/** Like `notifyDueChannels`, several times a second, without the channels whose claims back off. */
export async function notifyDueChannelsOften(services: Services): Promise<void> {
  for (const channelId of await dueChannels(services)) {
    if (!isBackedOff(services, channelId)) services.jobs.notifyChannel(channelId);
  }
}

/** An attempt that is still open past its deadline belongs to a process that crashed, or lost its response. */
async function doubtOverdueAttempts(services: Services): Promise<number> {
  const overdue = await services.sql<{ attemptId: string; messageId: string }[]>`
    select id as "attemptId", message_id as "messageId" from message_attempts
    where outcome is null and deadline < now() and id <> all(${attemptsInFlight(services)}::uuid[]) order by deadline limit ${BATCH_MAX}`;
  if (overdue.length === 0) return 0;
  const detail = unanswered("no answer was stored before the deadline");
  await recordOutcomes(
    services,
    overdue.map((attempt) => ({ ...attempt, outcome: { kind: "uncertain", detail } })),
  );
  services.log.warn({ attempts: overdue.length }, "the outcome of send attempts is unknown");
  return overdue.length;
}

async function releaseExpiredClaims(services: Services): Promise<number> {
  const { count } = await services.sql`
    update messages m set claim_token = null, claimed_until = null
    where m.id in (
      select c.id from messages c
      where c.is_queued and c.claim_token is not null and c.claimed_until < now()
        and not exists (select from message_attempts a where a.message_id = c.id and a.outcome is null)
      order by c.id limit ${BATCH_MAX} for update skip locked)`;
  return count;
}

/**
 * Gives up waiting for confirmation. Only minutes in which callbacks could arrive count: after an outage of ours the
 * upstream redelivers its callbacks, and giving up earlier would be a guess.
 */
async function failUnconfirmed(services: Services): Promise<number> {
  const minutes = Math.ceil(services.config.unconfirmedAfterSeconds / 60);
  const messages = await services.sql<{ id: string }[]>`
    select m.id from messages m
    where m.is_queued and m.in_doubt_since is not null
      and m.in_doubt_since < now() - make_interval(secs => ${services.config.unconfirmedAfterSeconds})
      and ${minutes} <= (select count(*) from intake_minutes i
        where i.minute >= extract(epoch from m.in_doubt_since) / 60)
    order by m.in_doubt_since limit ${BATCH_MAX}`;
  return failWithoutCall(services, messages, "upstream_unconfirmed", {
    mayFail: (row) => row.inDoubtSince !== null,
  });
}

async function failExpired(services: Services): Promise<number> {
  const messages = await services.sql<{ id: string }[]>`
    select id from messages
    where is_queued and in_doubt_since is null and created_at > '-infinity'
      and created_at < now() - ${EXPIRES_AFTER}::interval
    order by created_at limit ${BATCH_MAX}`;
  return failWithoutCall(services, messages, "expired");
}

const INTAKE_MINUTES_KEPT = 3 * 24 * 60;

/**
 * Records that callbacks could arrive and be processed in this minute. While stored ones wait unprocessed, they may
 * include a message's confirmation. Every process that accepts callbacks calls it often.
 */
export async function recordIntakeHeartbeat(services: Services): Promise<void> {
  await services.sql`
    with now_minute as (select (extract(epoch from now()) / 60)::int as minute),
      old as (delete from intake_minutes where minute < (select minute from now_minute) - ${INTAKE_MINUTES_KEPT})
    insert into intake_minutes (minute) select minute from now_minute
    where not exists (select from upstream_callbacks
      where processed_at is null and tries = 0 and received_at < now() - interval '1 minute')
    on conflict do nothing`;
}

/** Records that callbacks could arrive in the time that a moved clock skipped: nothing had stopped in it. */
export async function skipIntakeMinutes(sql: Executor, skippedMs: number): Promise<void> {
  const minutes = Math.min(Math.ceil(skippedMs / 60_000), INTAKE_MINUTES_KEPT);
  await sql`
    insert into intake_minutes (minute)
    select generate_series(minute - ${minutes}::int, minute) from (
      select (extract(epoch from now()) / 60)::int as minute) as present
    on conflict do nothing`;
}
