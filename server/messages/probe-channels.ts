import { callerOf, type CallableChannel } from "../channels/caller";
import { PROBE_SECONDS } from "../channels/pause";
import { isPauseReason, PAUSE_REASONS } from "../channels/pause-reasons";
import type { Services } from "../context";
import { claimAndOpen } from "./claim-and-open";
import { handOver } from "./hand-over";
import { settleUncalled } from "./settle-uncalled";

interface PausedChannel extends CallableChannel {
  readonly organizationId: string;
  readonly pauseReason: string;
}

const BATCH_MAX = 20;

/**
 * Asks paused channels whether they work again: by reading the number from the upstream, or, where only a send can tell,
 * with one queued message (design section 5, "Outcome"). Each is asked by one process at a time.
 */
export async function probePausedChannels(services: Services): Promise<void> {
  const due = await claimProbes(services);
  await Promise.all(
    due.map((channel) =>
      probe(services, channel).catch((error: unknown) => {
        services.log.warn({ err: error, channelId: channel.id }, "a paused channel could not be asked");
      }),
    ),
  );
}

const probeOf = (reason: string) => (isPauseReason(reason) ? PAUSE_REASONS[reason].probe : "number");

/** Takes the probes that are due, across organizations, and sets when the next ones are. */
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
  await services.sql`
    update channels set paused_at = null, pause_reason = null, pause_detail = null, next_probe_at = null
    where organization_id = ${channel.organizationId} and id = ${channel.id} and pause_reason = ${channel.pauseReason}`;
  services.log.info({ channelId: channel.id }, "a paused channel works again");
  services.jobs.wakeChannel(channel.id);
}

/** Whatever is answered clearly to a call that began after the pause ends it; a refusal of the channel doesn't. */
async function tryOneMessage(services: Services, channel: PausedChannel): Promise<void> {
  const seat = services.slots.join();
  const slots = seat.take(1);
  try {
    if (slots === 0) return;
    const claim = await claimAndOpen(services, channel.id, 1, { isProbe: true });
    await settleUncalled(services, { ...claim, waitingForMedia: [] });
    for (const attempt of claim.opened) await handOver(services, attempt, claim.openedAtMs);
  } finally {
    seat.release(slots);
    seat.leave();
  }
}
