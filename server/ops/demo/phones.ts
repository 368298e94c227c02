import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { callSimulator } from "@/server/adapters/simulator/call";
import { WAMID_PREFIX } from "./conversations";
import { SimulatorRefused } from "./register";

const MESSAGES_MAX = 100;
const TIMEOUT_MS = 5_000;

interface SeededMessage {
  readonly wamid: string;
  readonly at: Date;
  readonly from: string;
  readonly name: string;
  readonly body: string;
  readonly phoneNumberId: string;
}

/**
 * Shows the messages that the demo was created with on the phones of the customers who wrote them. The simulator must
 * know the channel. Can be repeated at any time: a phone shows each message once.
 * @throws SimulatorRefused if the simulator doesn't take one.
 */
export async function showOnPhones(
  ctx: Context<SystemActor>,
  channelId: string,
  simulatorUrl: string,
): Promise<void> {
  for (const { wamid, at, from, name, body, phoneNumberId } of await seededMessages(ctx, channelId)) {
    const { status } = await callSimulator(`${simulatorUrl}/simulator/inbound`, {
      method: "POST",
      body: {
        phone_number_id: phoneNumberId,
        from,
        profile_name: name,
        text: { body },
        known: { wamid, at: at.toISOString() },
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (status !== 200) {
      throw new SimulatorRefused(`The simulator responded with ${status} to a message of the demo`);
    }
  }
}

/** Lists the messages that the demo was created with, oldest first. */
async function seededMessages(ctx: Context<SystemActor>, channelId: string): Promise<SeededMessage[]> {
  return ctx.services.sql<SeededMessage[]>`
    select m.upstream_id as wamid, m.upstream_at as at, m.sender_number as "from", k.name,
           m.content #>> '{text,body}' as body, c.phone_number_id as "phoneNumberId"
    from messages m
    join contacts k on k.id = m.contact_id and k.organization_id = m.organization_id
    join channels c on c.id = m.channel_id and c.organization_id = m.organization_id
    where m.organization_id = ${ctx.actor.organizationId} and m.channel_id = ${channelId}
      and m.kind = 'inbound' and m.type = 'text' and starts_with(m.upstream_id, ${WAMID_PREFIX})
      and m.erased_at is null and k.name is not null
    order by m.upstream_at, m.id
    limit ${MESSAGES_MAX}`;
}
