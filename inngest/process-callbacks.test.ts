import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { servicesWith } from "@/server/core/testing";
import { newHandle, openConversation, openSendWorld, queueText } from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { bytesOf, callback, post, status } from "@/server/domain/callbacks/testing";
import { createJobEngine } from "./engine";

/** Meta never sends this many, but someone with a channel's app secret can. */
const FLOOD_TEXTS = 20_000;

/** The functions, run as in a separate process. */
async function startJobs() {
  const world = await openSendWorld({ database: "own" });
  let isStopping = false;
  const engine = createJobEngine({
    config: world.services.config,
    log: world.services.log,
    runsJobs: true,
    services: () => services,
  });
  const services = servicesWith(world.services, {
    jobs: engine.jobs,
    lifecycle: { isStopping: () => isStopping },
  });
  engine.start();
  const stop = async () => {
    isStopping = true;
    await engine.stop();
  };
  onTestFinished(async () => {
    await stop();
    await world.close();
  });
  return { world, services, stop };
}

test("an organization's flood of texts holds up no other's callback, and its end interrupts no more than it", async () => {
  const { world, services, stop } = await startJobs();
  const numberOf = async (channelId: string) => {
    const [row] = await world.sql<{ number: string }[]>`
      select phone_number_id as number from channels where id = ${channelId}`;
    return row?.number ?? "";
  };
  const flooding = await createTestOrganization(services);
  const flooded = await connectTestChannel(flooding);
  const messages = Array.from({ length: FLOOD_TEXTS }, (_, index) => ({
    id: `wamid.flood.${index}`,
    from: newHandle(),
    type: "text",
    text: { body: "Hello" },
  }));
  const { threadId } = await openConversation(world.ctx, world.channelId);
  const id = await queueText(world.ctx, threadId);
  const read = status("read", `wamid.${randomUUID()}`, { biz_opaque_callback_data: id });

  expect(await post(services, flooded, bytesOf(callback(await numberOf(flooded), { messages })))).toBe(200);
  const floodIsUnderWay = async () =>
    (await world.sql`select 1 from messages where channel_id = ${flooded} limit 1`).length;
  await expect.poll(floodIsUnderWay).toBe(1);
  const own = bytesOf(callback(await numberOf(world.channelId), { statuses: [read] }));
  expect(await post(services, world.channelId, own)).toBe(200);
  const stateOf = async () => (await world.sql`select state from messages where id = ${id}`)[0];
  await expect.poll(stateOf).toEqual({ state: "read" });

  const ofFlood = () => world.sql`
    select processed_at is not null as "isProcessed", claimed_until is not null as "isClaimed", tries
    from upstream_callbacks where channel_id = ${flooded}`;
  expect([...(await ofFlood())]).toEqual([{ isProcessed: false, isClaimed: true, tries: 1 }]);
  await stop();
  expect([...(await ofFlood())]).toEqual([{ isProcessed: false, isClaimed: false, tries: 0 }]);
});
