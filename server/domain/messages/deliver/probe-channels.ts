import { callerOf, type CallableChannel } from "@/server/domain/channels/caller";
import { PROBE_SECONDS, endPauses } from "@/server/domain/channels/pause";
import { isPauseReason, PAUSE_REASONS } from "@/server/adapters/whatsapp/pause-reasons";
import type { Services } from "@/server/core/context";
import { waitAtMost } from "@/server/lib/graceful-stop";
import { newCalls } from "@/server/lib/new-calls";
import { claimAndOpen } from "./claim-and-open";
import { handOver } from "./hand-over";
import { handOverWithMedia } from "./hand-over-with-media";
import { settleUncalled } from "./settle-uncalled";

interface PausedChannel extends CallableChannel {
  readonly organizationId: string;
  readonly pauseReason: string;
}

const BATCH_MAX = 20;
/** How long the caller waits. An upload may take longer: it continues, and holds its permit. */
const WAIT_MS = 25_000;
/** Time limit of one search through a queue. */
const TRY_MS = 10_000;

/**
 * Probes paused channels: reads the number from the upstream, or sends one queued message if only a send can tell. Only
 * one process probes a channel at a time.
 */
export async function probePausedChannels(services: Services): Promise<void> {
  const due = await claimProbes(services);
  await Promise.all(
    due.map((channel) => {
      const asking = probe(services, channel).catch((error: unknown) => {
        services.log.warn({ err: error, channelId: channel.id }, "probing a paused channel failed");
      });
      return waitAtMost(WAIT_MS, asking);
    }),
  );
}

const probeOf = (reason: string) => (isPauseReason(reason) ? PAUSE_REASONS[reason].probe : "number");

/** Claims the due probes, across organizations, and sets the times of the next ones. */
async function claimProbes(services: Services): Promise<PausedChannel[]> {
  const byMessage = Object.keys(PAUSE_REASONS).filter((reason) => probeOf(reason) === "message");
  return services.sql<PausedChannel[]>`
    update channels c set next_probe_at = clock_timestamp() + make_interval(secs =>
      case when c.pause_reason = any(${byMessage}::text[]) then ${PROBE_SECONDS.message}::int
        else ${PROBE_SECONDS.number}::int end)
    from (
      select id from channels
      where paused_at is not null and disabled_at is null and next_probe_at <= now()
      order by next_probe_at limit ${BATCH_MAX} for update skip locked) due
    where c.id = due.id
    returning c.id, c.organization_id as "organizationId", c.upstream, c.phone_number_id as "phoneNumberId",
      c.access_token_encrypted as "accessTokenEncrypted", c.pause_reason as "pauseReason"`;
}

function probe(services: Services, channel: PausedChannel): Promise<void> {
  return probeOf(channel.pauseReason) === "message"
    ? tryOneMessage(services, channel)
    : readNumber(services, channel);
}

async function readNumber(services: Services, channel: PausedChannel): Promise<void> {
  const caller = callerOf(services, channel);
  if ("kind" in caller) return;
  const answer = await services.whatsapp.readNumber(caller);
  if (answer.kind === "unreadable") return;
  const { id, organizationId, pauseReason } = channel;
  const ended = await endPauses(
    services.sql,
    services.sql`c.organization_id = ${organizationId} and c.id = ${id} and c.pause_reason = ${pauseReason}`,
  );
  if (ended.length === 0) return;
  services.log.info({ channelId: id }, "a paused channel works again");
  services.jobs.notifyChannel(id);
}

/** A definite response to a call that started after the pause ends the pause; a refusal of the channel doesn't. */
async function tryOneMessage(services: Services, channel: PausedChannel): Promise<void> {
  const permits = services.concurrency.sends.join(channel.id);
  const permitCount = permits.take(1);
  // Needs no more permits, so other senders get the rest.
  permits.leave();
  try {
    const isTried = permitCount > 0 && (await callForOne(services, channel.id));
    if (!isTried) await askSoon(services, channel);
    // The call may have ended the pause.
    services.jobs.notifyChannel(channel.id);
  } finally {
    permits.release(permitCount);
  }
}

/**
 * Goes through the queue until a call was made, because the head may no longer allow a call.
 * @returns false if the time ran out before a call or the end of the queue.
 */
async function callForOne(services: Services, channelId: string): Promise<boolean> {
  const endsAt = performance.now() + TRY_MS;
  const tried = new Set<string>();
  while (!services.lifecycle.isStopping() && performance.now() < endsAt) {
    await newCalls.allowed();
    const claim = await claimAndOpen(services, channelId, 1, { isProbe: true });
    const [attempt] = claim.opened;
    if (attempt) {
      await handOver(services, attempt, claim.openedAtMs);
      return true;
    }
    const [message] = claim.claimed;
    // A message that appears again waits for the channel, as its upload did.
    const isNew = message !== undefined && !tried.has(message.id);
    await settleUncalled(services, isNew ? claim : { ...claim, waitingForMedia: [] });
    if (!isNew) return true;
    tried.add(message.id);
    const [waiting] = claim.waitingForMedia;
    if (waiting && (await handOverWithMedia(services, waiting, { isProbe: true }))) return true;
  }
  return false;
}

/** The next sweep continues. */
async function askSoon(
  services: Services,
  { id, organizationId, pauseReason }: PausedChannel,
): Promise<void> {
  await services.sql`
    update channels set next_probe_at = clock_timestamp()
    where organization_id = ${organizationId} and id = ${id} and pause_reason = ${pauseReason}`;
}
