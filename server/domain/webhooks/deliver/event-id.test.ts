import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openConversation } from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { createWebhook } from "../endpoints/create";
import { deliverToEndpoint } from "./deliver";
import { listDeliveries } from "./list-deliveries";
import { redeliverWebhook } from "./redeliver";
import { replayWebhooks } from "../replay/replay";
import { addEndpoint, addPastDeliveries, openWebhookWorld, type WebhookWorld } from "../testing";

let world: WebhookWorld;

beforeAll(async () => void (world = await openWebhookWorld()));
afterAll(() => world.close());

const HOUR_MS = 3_600_000;

async function newOrganization() {
  const ctx = { ...(await createTestOrganization(world.services)), services: world.services };
  const fetch = async (id: string) =>
    (await listDeliveries({ ctx, input: { id, order: "oldest", limit: 10, include: "payload" } })).data;
  const lastCall = (path: string) => world.receiver.calls.filter((call) => call.path === path).at(-1);
  return {
    ctx,
    fetch,
    /** Delivers everything that waits for the endpoint, and returns the id and the body of the last call. */
    deliver: async (id: string, path: string) => {
      await deliverToEndpoint(world.services, id);
      const call = lastCall(path);
      return { webhookId: call?.headers["webhook-id"], body: call?.body };
    },
  };
}

const urlOf = (path: string) => new URL(path, world.receiver.url).href;

test("an event has one id, in its body and as webhook-id: at every endpoint, pushed, fetched, redelivered and replayed", async () => {
  const { ctx, fetch, deliver } = await newOrganization();
  const pushed = await Promise.all(["/one", "/other"].map((path) => addEndpoint(ctx, { url: urlOf(path) })));
  const [one, other] = pushed.map(({ id }) => id);
  const { id: pulled } = await addEndpoint(ctx, { url: null });
  await openConversation(ctx, await connectTestChannel(ctx, true));
  const first = await deliver(one ?? "", "/one");
  const { id: eventId } = JSON.parse(first.body ?? "{}");
  const reported = { webhookId: eventId, body: first.body };
  expect(eventId).toMatch(/^[0-9a-f-]{36}$/);
  expect(first).toEqual(reported);
  expect(await deliver(other ?? "", "/other")).toEqual(reported);

  const since = new Date(Date.now() - HOUR_MS).toISOString();
  const later = await createWebhook({ ctx, input: { url: null, since } });
  const deliveries = (await Promise.all([one, other, pulled, later.id].map((id) => fetch(id ?? "")))).flat();
  expect(deliveries).toHaveLength(4);
  expect(new Set(deliveries.map(({ id }) => id)).add(eventId).size).toBe(5);
  for (const { event_id, headers, body } of deliveries) {
    expect([event_id, headers?.["webhook-id"], body]).toEqual([eventId, eventId, reported.body]);
  }

  world.receiver.calls.length = 0;
  const [{ id: deliveryId } = { id: "" }] = deliveries;
  const redeliver = (id: string) => redeliverWebhook({ ctx, input: { id: one ?? "", delivery_id: id } });
  expect(await redeliver(deliveryId)).toMatchObject({ id: deliveryId, event_id: eventId });
  expect(await deliver(one ?? "", "/one")).toEqual(reported);
  expect(await redeliver(eventId)).toMatchObject({ id: deliveryId, event_id: eventId });
  expect(await deliver(one ?? "", "/one")).toEqual(reported);
  const replay = { id: other ?? "", since, only: "all", replay_id: crypto.randomUUID() } as const;
  expect(await replayWebhooks({ ctx, input: replay })).toMatchObject({ count: 1 });
  expect(await deliver(other ?? "", "/other")).toEqual(reported);
  expect(world.receiver.calls).toHaveLength(3);
});

test("an event stored before bodies held an id keeps the id under which it was sent, and its bytes", async () => {
  const { ctx, fetch, deliver } = await newOrganization();
  const { id, secret } = await addEndpoint(ctx, { url: urlOf("/old") });
  const [deliveryId = ""] = await addPastDeliveries(ctx, id, { state: "pending" });
  const sent = { webhookId: deliveryId, body: '{"type" : "message.received", "n" : 1}' };
  expect(await deliver(id, "/old")).toEqual(sent);
  const [delivery] = await fetch(id);
  expect(delivery).toMatchObject({ id: deliveryId, event_id: deliveryId, body: sent.body });
  expect(new Webhook(secret).verify(sent.body, { ...delivery?.headers })).toMatchObject({ n: 1 });
  world.receiver.calls.length = 0;
  await redeliverWebhook({ ctx, input: { id, delivery_id: deliveryId } });
  expect(await deliver(id, "/old")).toEqual(sent);
});
