import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrganization } from "@/server/domain/organizations/create";
import { createTestOrganization } from "@/server/domain/organizations/testing";
import { createWebhook } from "@/server/domain/webhooks/endpoints/create";
import { deliverToEndpoint } from "@/server/domain/webhooks/deliver/deliver";
import { listWebhooks } from "@/server/domain/webhooks/endpoints/list";
import { removeWebhook } from "@/server/domain/webhooks/endpoints/remove";
import { addDeliveries, addEndpoint, deliveriesOf } from "@/server/domain/webhooks/testing";
import { inboxPath } from "@/server/core/service-urls";
import { updateInboxUrls } from "./endpoint";
import { type InboxWorld, newDemo, openInboxWorld, storedIn } from "./testing";

let world: InboxWorld;
beforeAll(async () => void (world = await openInboxWorld({ database: "own" })));
afterAll(() => world.close());

type Demo = Awaited<ReturnType<typeof newDemo>>;

async function urlsOf({ ctx }: Pick<Demo, "ctx">) {
  const { data } = await listWebhooks({ ctx, input: { limit: 20 } });
  return data.map(({ url }) => url ?? "").toSorted();
}

test("what is delivered to it comes in, and is genuine", async () => {
  const { ctx, endpointId } = await newDemo(world);
  await addDeliveries(ctx, endpointId, 2);
  await deliverToEndpoint(ctx.services, endpointId);
  expect(await storedIn(world, ctx)).toMatchObject([{ fault: null }, { fault: null }]);
  const [delivery] = await deliveriesOf(world, endpointId);
  expect(delivery).toMatchObject({ state: "delivered", tries: [{ httpStatus: 204 }] });
});

test("it has all events of messages and contacts", async () => {
  const { ctx } = await newDemo(world);
  const { data } = await listWebhooks({ ctx, input: { limit: 20 } });
  expect(data).toMatchObject([
    {
      events: [
        "message.sent",
        "message.delivered",
        "message.read",
        "message.failed",
        "message.received",
        "contact.opted_out",
        "contact.opted_in",
        "contact.changed",
      ],
      channel_ids: null,
      enabled: true,
    },
  ]);
});

test("nothing else at our own address is an exception, at creation and at delivery", async () => {
  const demo = await newDemo(world);
  const shop = { ...(await createTestOrganization(world.services)), services: world.services };
  const urls = [
    `${world.baseUrl}/api/public/v1/messages`,
    `${world.baseUrl}/`,
    demo.url,
    `${world.baseUrl}${inboxPath(shop.actor.organizationId)}/`,
  ];
  for (const url of urls) {
    await expect(createWebhook({ ctx: shop, input: { url } })).rejects.toMatchObject({
      code: "webhook_url_forbidden",
    });
    const { id } = await addEndpoint(shop, { url });
    await addDeliveries(shop, id, 1);
    await deliverToEndpoint(shop.services, id);
    expect(await deliveriesOf(world, id)).toMatchObject([
      { state: "pending", tries: [{ errorClass: "forbidden", httpStatus: null }] },
    ]);
  }
  expect(await storedIn(world, demo.ctx)).toEqual([]);
});

test("a start has it at the address of the day, without what was noted of failures", async () => {
  const demo = await newDemo(world);
  await addEndpoint(demo.ctx, { url: "https://93.184.216.34/hook" });
  const shop = await createTestOrganization(world.services);
  const { organizationId } = shop.actor;
  await addEndpoint(shop, { url: `http://127.0.0.1:1${inboxPath(organizationId)}` });
  await world.sql`
    update webhook_endpoints set url = ${`http://127.0.0.1:1${inboxPath(demo.ctx.actor.organizationId)}`},
      backoff_until = now() + interval '1 day', backoff_streak = 3, failing_since = now()
    where id = ${demo.endpointId}`;
  await updateInboxUrls(world.services, world.baseUrl);
  expect(await urlsOf(demo)).toEqual([demo.url, "https://93.184.216.34/hook"].toSorted());
  const [row] = await world.sql`
    select backoff_until, backoff_streak, failing_since from webhook_endpoints where id = ${demo.endpointId}`;
  expect(row).toEqual({ backoff_until: null, backoff_streak: 0, failing_since: null });
  expect(await urlsOf({ ctx: shop })).toEqual([`http://127.0.0.1:1${inboxPath(organizationId)}`]);
});

test("a demo from before there were inboxes is given it, once", async () => {
  const { services } = world;
  const { ctx } = await createOrganization({ services, job: "test", input: { name: "Demo", isDemo: true } });
  const url = world.baseUrl + inboxPath(ctx.actor.organizationId);
  await updateInboxUrls(services, world.baseUrl);
  await updateInboxUrls(services, world.baseUrl);
  expect(await urlsOf({ ctx })).toEqual([url]);
});

test("who has removed it isn't given another, wherever the service is now", async () => {
  const { ctx, endpointId } = await newDemo(world);
  await removeWebhook({ ctx, input: { id: endpointId } });
  await updateInboxUrls(world.services, world.baseUrl);
  await updateInboxUrls(world.services, "http://127.0.0.1:2");
  expect(await urlsOf({ ctx })).toEqual([]);
});

test("one demo that has no room for it doesn't keep the next from its own", async () => {
  const { services } = world;
  const demos = [1, 2].map(() =>
    createOrganization({ services, job: "test", input: { name: "Demo", isDemo: true } }),
  );
  const [full, next] = (await Promise.all(demos)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  if (!full || !next) throw new Error("There are no two demos");
  for (let made = 0; made < 20; made += 1) await addEndpoint(full.ctx, { url: null });
  await updateInboxUrls(services, world.baseUrl);
  expect(await urlsOf(full)).toHaveLength(20);
  expect(await urlsOf(next)).toEqual([world.baseUrl + inboxPath(next.id)]);
});
