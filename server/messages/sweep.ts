import type { Services } from "../context";
import { dueChannels } from "./claim";
import { failWithoutCall } from "./fail-without-call";
import { joinFailures } from "./join-failures";
import { joinUnmatched } from "./join-unmatched";
import { EXPIRES_AFTER } from "./open-attempts";
import { probePausedChannels } from "./probe-channels";
import { recordOutcomes } from "./record-outcomes";

/** Rows locked at once. */
const BATCH_MAX = 100;

/**
 * Finds what a crash or a lost wake-up left behind, across organizations: claims that ran out, attempts past their
 * deadline, messages that waited too long for confirmation or for their turn, statuses that came before their message,
 * and channels with something due. Safe to run in any number of processes at once.
 */
export async function sweepMessages(services: Services): Promise<void> {
  for (const step of STEPS) {
    // One that fails must not keep the others, least of all the last, from finding what is theirs.
    await step(services).catch((error: unknown) => {
      services.log.error({ err: error, step: step.name }, "a step of the sweep failed");
    });
  }
}

const STEPS: readonly ((services: Services) => Promise<unknown>)[] = [
  doubtOverdueAttempts,
  releaseExpiredClaims,
  failUnconfirmed,
  failExpired,
  (services) => joinUnmatched(services),
  joinFailures,
  probePausedChannels,
  wakeDueChannels,
];

/** Wakes every channel that has a message due. */
export async function wakeDueChannels(services: Services): Promise<void> {
  for (const channelId of await dueChannels(services)) services.jobs.wakeChannel(channelId);
}

/** An attempt that is still open past its deadline belongs to a process that died, or lost its answer. */
async function doubtOverdueAttempts(services: Services): Promise<void> {
  const overdue = await services.sql<{ attemptId: string; messageId: string }[]>`
    select id as "attemptId", message_id as "messageId" from message_attempts
    where outcome is null and deadline < now() order by deadline limit ${BATCH_MAX}`;
  if (overdue.length === 0) return;
  const detail = { httpStatus: null, upstreamCode: null, reason: "no answer was stored before the deadline" };
  await recordOutcomes(
    services,
    overdue.map((attempt) => ({ ...attempt, outcome: { kind: "uncertain", detail } })),
  );
  services.log.warn({ attempts: overdue.length }, "attempts are in doubt");
}

async function releaseExpiredClaims(services: Services): Promise<void> {
  await services.sql`
    update messages m set claim_token = null, claimed_until = null
    where m.id in (
      select c.id from messages c
      where c.state = 'queued' and c.claim_token is not null and c.claimed_until < now()
        and not exists (select from message_attempts a where a.message_id = c.id and a.outcome is null)
      order by c.id limit ${BATCH_MAX} for update skip locked)`;
}

/**
 * Gives up waiting for confirmation. Only minutes in which callbacks could come in count: after an outage of ours the
 * upstream delivers what it owes, and giving up before would be a guess.
 */
async function failUnconfirmed(services: Services): Promise<void> {
  const minutes = Math.ceil(services.config.unconfirmedAfterSeconds / 60);
  const messages = await services.sql<{ id: string }[]>`
    select m.id from messages m
    where m.state = 'queued' and m.in_doubt_since is not null
      and m.in_doubt_since < now() - make_interval(secs => ${services.config.unconfirmedAfterSeconds})
      and ${minutes} <= (select count(*) from intake_minutes i
        where i.minute >= extract(epoch from m.in_doubt_since) / 60)
    order by m.in_doubt_since limit ${BATCH_MAX}`;
  await failWithoutCall(services, messages, "upstream_unconfirmed", (row) => row.inDoubtSince !== null);
}

async function failExpired(services: Services): Promise<void> {
  const messages = await services.sql<{ id: string }[]>`
    select id from messages
    where state = 'queued' and in_doubt_since is null
      and created_at < now() - ${EXPIRES_AFTER}::interval
    order by created_at limit ${BATCH_MAX}`;
  await failWithoutCall(services, messages, "expired");
}

const INTAKE_MINUTES_KEPT = 3 * 24 * 60;

/**
 * Says that callbacks can come in at this minute, and come to something: while stored ones wait untouched, what would
 * confirm a message may be among them. Called often by every process that takes callbacks.
 */
export async function noteIntake(services: Services): Promise<void> {
  await services.sql`
    with now_minute as (select (extract(epoch from now()) / 60)::int as minute),
      old as (delete from intake_minutes where minute < (select minute from now_minute) - ${INTAKE_MINUTES_KEPT})
    insert into intake_minutes (minute) select minute from now_minute
    where not exists (select from upstream_callbacks
      where processed_at is null and tries = 0 and received_at < now() - interval '1 minute')
    on conflict do nothing`;
}
