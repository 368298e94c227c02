import { newId } from "@/db/schema";
import type { Services } from "@/server/core/context";
import type { CallbackChannel } from "./channel";
import { LARGE_BYTES, processTogether } from "./process";

/** Far longer than processing one callback takes. Afterwards any process may. */
const LEASE_SECONDS = 30;

/**
 * Stores a callback raw, and durably. If nothing else of its channel waits, and jobs run in this process, it is claimed
 * by the same statement and processed right after the commit, without being waited for. Otherwise it is left to the
 * next run of the job, which processes many together.
 */
export async function storeCallback(
  services: Services,
  channel: CallbackChannel,
  body: Buffer,
): Promise<void> {
  const isBatched = services.load.isHigh() || body.length >= LARGE_BYTES;
  const turn = isBatched ? null : services.jobs.takeCallbackTurn(channel.id);
  let work: () => Promise<void> = async () => undefined;
  try {
    const { isClaimed, ...stored } = await insert(services, channel, body, turn !== null);
    if (isClaimed) work = () => processTogether(services, [{ ...stored, body, tries: 1 }]);
    else services.jobs.notifyCallbacks(channel.id);
  } finally {
    turn?.run(work);
  }
}

async function insert({ sql }: Services, channel: CallbackChannel, body: Buffer, isTurn: boolean) {
  const { id: channelId, organizationId, phoneNumberId } = channel;
  const id = newId();
  // The channel's timestamp has a precision of a minute, so few of many callbacks write it.
  const [row] = await sql<{ isClaimed: boolean; receivedAt: Date }[]>`
    with noted as (
      update channels set last_callback_at = clock_timestamp()
      where organization_id = ${organizationId} and id = ${channelId}
        and (last_callback_at is null or last_callback_at < clock_timestamp() - interval '1 minute')),
    claim as (
      select now() + make_interval(secs => ${LEASE_SECONDS}) as until
      where ${isTurn}::boolean and not exists (
        select from upstream_callbacks where channel_id = ${channelId} and processed_at is null))
    insert into upstream_callbacks (id, organization_id, channel_id, body, claimed_until, tries)
    select ${id}, ${organizationId}, ${channelId}, ${body}, (select until from claim), (select count(*) from claim)
    returning claimed_until is not null as "isClaimed", received_at as "receivedAt"`;
  if (!row) throw new Error("A callback wasn't stored");
  return { id, organizationId, channelId, phoneNumberId, ...row };
}
