import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { servicesWith } from "@/server/core/testing";
import { newHandle } from "@/server/domain/messages/testing";
import {
  asMember,
  connectTestChannel,
  createTestOrganization,
  openTestWorld,
} from "@/server/domain/organizations/testing";
import { registerWithSimulator } from "@/server/ops/demo/register";
import { startSimulator } from "@/server/simulator/start";

/** Nobody listens there: the callbacks of the simulator wait. */
const NOBODY = "http://127.0.0.1:9";

/** An organization with a channel that a real simulator serves, a channel at Meta, and an agent. */
export async function openPhoneWorld() {
  const world = await openTestWorld();
  const directory = await mkdtemp(path.join(tmpdir(), "waypost-phone-"));
  const simulator = await startSimulator({
    directory: path.join(directory, "simulator"),
    port: 0,
    log: pino({ level: "silent" }),
  });
  const services = servicesWith(world.services, { urls: { upstream: () => simulator.url } });
  const ctx = await createTestOrganization(services);
  const channelId = await connectTestChannel(ctx, true);
  const atMeta = await connectTestChannel(ctx);
  const { sql } = world.database;
  await sql`update channels set upstream = 'meta' where id = ${atMeta}`;
  const { organizationId } = ctx.actor;
  await registerWithSimulator({ services, simulatorUrl: simulator.url, baseUrl: NOBODY, organizationId });
  const [channel] = await sql<{ id: string }[]>`
    select phone_number_id as id from channels where id = ${channelId}`;
  if (!channel) throw new Error("The channel is gone");
  /** Sends a message of the business to the customer, as WhatsApp's clients do. Returns its wamid. */
  const send = async (to: string, message: object): Promise<string> => {
    const answer = await fetch(`${simulator.url}/v24.0/${channel.id}/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer test-access-token" },
      body: JSON.stringify({ messaging_product: "whatsapp", to, ...message }),
    });
    const body: { messages: [{ id: string }] } = await answer.json();
    return body.messages[0].id;
  };
  return {
    services,
    ctx,
    sql,
    agent: await asMember(ctx, "agent"),
    channelId,
    atMeta,
    phoneNumberId: channel.id,
    send,
    /** A phone that no other test uses. */
    newPhone: () => ({ channelId, customer: newHandle() }),
    close: async () => {
      await simulator.stop();
      await rm(directory, { recursive: true, force: true });
      await world.close();
    },
  };
}

export type PhoneWorld = Awaited<ReturnType<typeof openPhoneWorld>>;
