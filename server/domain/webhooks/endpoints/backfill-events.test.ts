import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { errorOf } from "@/server/domain/keys/testing";
import { openConversation, queueText } from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { backfillEvents } from "./backfill-events";
import { createWebhook } from "./create";
import { readEndpoint } from "./endpoint";
import { listDeliveries } from "../deliver/list-deliveries";
import type { CreateWebhookInput } from "./schemas";
import { eventBody, storeEvents } from "../outbox/store-events";
import {
  addEndpoint,
  addPastDeliveries,
  deliveriesOf,
  openWebhookWorld,
  PUBLIC_URL,
  type WebhookWorld,
} from "../testing";

let world: WebhookWorld;
let ctx: Context<SystemActor>;
/** The organization that receives the stored events. */
let other: string;

beforeAll(async () => void (world = await openWebhookWorld()));
beforeEach(async () => {
  ctx = { ...(await createTestOrganization(world.services)), services: world.services };
  ({ id: other } = await addEndpoint(ctx, { url: null }));
});
afterAll(() => world.close());

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
const create = (input: Partial<CreateWebhookInput>) => createWebhook({ ctx, input: { url: null, ...input } });

test("a new endpoint begins with what arose since then, in order, before what comes from now on", async () => {
  await addPastDeliveries(ctx, other, { secondsAgo: 7200 });
  await addPastDeliveries(ctx, other, { secondsAgo: 1800, type: "message.failed" });
  await addPastDeliveries(ctx, other, { secondsAgo: 600, type: "message.sent" });
  const { id } = await create({ since: ago(3600) });
  await addPastDeliveries(ctx, id, { secondsAgo: 0, type: "message.read" });
  const earlier = await deliveriesOf(world, id);
  expect(earlier.map(({ type }) => type)).toEqual(["message.failed", "message.sent", "message.read"]);
  const input = { id, order: "oldest", limit: 10, include: "payload" } as const;
  const { data } = await listDeliveries({ ctx, input });
  expect(data).toMatchObject([
    { type: "message.failed", state: "available", body: '{"type" : "message.failed", "n" : 1}' },
    { type: "message.sent", state: "available", headers: { "webhook-id": data[1]?.id } },
  ]);
  const others = await deliveriesOf(world, other);
  expect(others.map((delivery) => delivery.id)).not.toContain(data[0]?.id);
});

test("only with what it is for: its types, its channels, nothing that is erased or older than a week", async () => {
  const channelId = await connectTestChannel(ctx, true);
  const [{ threadId }, elsewhere] = [
    await openConversation(ctx, channelId),
    await openConversation(ctx, await connectTestChannel(ctx)),
  ];
  await world.sql`delete from webhook_events where organization_id = ${ctx.actor.organizationId}`;
  const messageId = await queueText(ctx, threadId);
  const other1 = { messageId: await queueText(ctx, elsewhere.threadId), type: "message.sent" } as const;
  const wanted = { messageId, type: "message.sent" } as const;
  await addPastDeliveries(ctx, other, wanted);
  await addPastDeliveries(ctx, other, other1);
  await addPastDeliveries(ctx, other, { messageId: null, type: "webhook.test" });
  await addPastDeliveries(ctx, other, { type: "message.read" });
  await addPastDeliveries(ctx, other, { type: "message.sent", secondsAgo: 8 * 86_400 });
  await addPastDeliveries(ctx, other, { type: "message.failed" });
  await world.sql`
    update webhook_events set body = null
    where type = 'message.failed' and organization_id = ${ctx.actor.organizationId}`;
  const since = ago(30 * 86_400);
  const typesOf = async (id: string) => (await deliveriesOf(world, id)).map(({ type }) => type);
  const ofChannel = await create({ since, channel_ids: [channelId] });
  expect(await typesOf(ofChannel.id)).toEqual(["message.sent"]);
  const ofAll = await create({ since });
  expect((await typesOf(ofAll.id)).toSorted()).toEqual(["message.read", "message.sent", "message.sent"]);
  const ofReads = await create({ since, events: ["message.read", "message.failed"] });
  expect(await typesOf(ofReads.id)).toEqual(["message.read"]);
});

test("what a transaction tells of that began before, and ends behind it, is not left out", async () => {
  const { threadId } = await openConversation(ctx, await connectTestChannel(ctx, true));
  const messageId = await queueText(ctx, threadId);
  const { organizationId } = ctx.actor;
  const event = {
    organizationId,
    type: "message.failed",
    subject: { kind: "message", messageId, channelId: messageId },
    sequence: 1,
    at: new Date(),
    data: { late: true },
  } as const;
  let creating: ReturnType<typeof create> | undefined;
  await world.sql.begin(async (tx) => {
    await storeEvents(tx, [event]);
    creating = create({ since: ago(60), events: ["message.failed"] });
    // The endpoint exists, and nobody has seen the event yet.
    await expect
      .poll(() => world.sql`select 1 from webhook_endpoints where organization_id = ${organizationId}`)
      .toHaveLength(2);
  });
  const { id } = (await creating) ?? { id: "" };
  const [delivery, ...others] = await deliveriesOf(world, id);
  expect(others).toEqual([]);
  expect(delivery?.body).toBe(eventBody(delivery?.webhookId ?? "", event));
});

/** Creates an endpoint that starts with the last hour, with at most 20 of its latest 100 events. */
async function beginning(events: ("message.received" | "message.failed")[]): Promise<string> {
  const { id } = await addEndpoint(ctx, { url: null, events });
  const bounds = { eventsMax: 20, examinedMax: 100 };
  await backfillEvents(ctx, await readEndpoint(ctx, id), new Date(ago(3600)), bounds);
  return id;
}

test("of very many with the latest", async () => {
  await addPastDeliveries(ctx, other, { count: 25 });
  const id = await beginning(["message.received"]);
  const [row] = await world.sql`
    select count(*)::int as count, min((v.body::json->>'n')::int) as first from webhook_deliveries d
    join webhook_events v on v.id = d.event_id where d.endpoint_id = ${id}`;
  expect(row).toEqual({ count: 20, first: 6 });
});

test("of very many of which few are wanted with those among the latest", async () => {
  await addPastDeliveries(ctx, other, { type: "message.failed", secondsAgo: 1_200 });
  const [found = ""] = await addPastDeliveries(ctx, other, { type: "message.failed", secondsAgo: 900 });
  await addPastDeliveries(ctx, other, { type: "message.read", count: 99, secondsAgo: 600 });
  const id = await beginning(["message.failed"]);
  const rows = await world.sql<{ id: string }[]>`
    select o.id from webhook_deliveries d join webhook_deliveries o on o.event_id = d.event_id and o.endpoint_id = ${other}
    where d.endpoint_id = ${id}`;
  expect(rows.map((row) => row.id)).toEqual([found]);
});

test("nothing of another organization, and nothing for an endpoint with a URL", async () => {
  const foreign = await createTestOrganization(world.services);
  await addPastDeliveries(foreign, (await addEndpoint(foreign, { url: null })).id);
  const { id } = await create({ since: ago(3600) });
  expect(await deliveriesOf(world, id)).toEqual([]);
  expect(await errorOf(create({ url: PUBLIC_URL, since: ago(3600) }))).toMatchObject({
    code: "validation_failed",
    field: "since",
  });
});
