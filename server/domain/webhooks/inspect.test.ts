import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { asKey, codeOf, openConversation, queueText } from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { inspectWebhook } from "./inspect";
import { inspectDelivery } from "./deliver/inspect-delivery";
import { replayWebhooks } from "./replay/replay";
import { addEndpoint, addPastDeliveries, openWebhookWorld, PUBLIC_URL, type WebhookWorld } from "./testing";

let world: WebhookWorld;
let ctx: Context<SystemActor>;
let id: string;

beforeAll(async () => void (world = await openWebhookWorld()));
beforeEach(async () => {
  ctx = await createTestOrganization(world.services);
  ({ id } = await addEndpoint(ctx, { url: PUBLIC_URL }));
});
afterAll(() => world.close());

const inspect = () => inspectWebhook({ ctx, input: { id } });
const add = (past: Parameters<typeof addPastDeliveries>[2]) => addPastDeliveries(ctx, id, past);

test("an endpoint is shown with what waits for it, and what it was not sent", async () => {
  expect(await inspect()).toMatchObject({
    url: PUBLIC_URL,
    backoff_until: null,
    waiting: { count: 0, is_more: false },
    skipped: { count: 0, is_more: false, since: null },
  });
  await add({ state: "pending", count: 3 });
  await add({ state: "delivered" });
  const [oldest = ""] = await add({ state: "skipped", count: 2, secondsAgo: 3_600 });
  await world.sql`
    update webhook_endpoints set backoff_streak = 1, backoff_until = now() + interval '1 minute' where id = ${id}`;
  const [row] = await world.sql<{ at: Date }[]>`
    select created_at as at from webhook_deliveries where id = ${oldest}`;
  expect(await inspect()).toMatchObject({
    backoff_until: expect.stringMatching(/Z$/),
    waiting: { count: 3, is_more: false },
    skipped: { count: 2, is_more: false, since: row?.at.toISOString() },
  });
});

test("a back-off that is over is none", async () => {
  await world.sql`update webhook_endpoints set backoff_streak = 1, backoff_until = now() where id = ${id}`;
  expect(await inspect()).toMatchObject({ backoff_until: null });
});

test("what it says was skipped is what a replay counts", async () => {
  const other = await connectTestChannel(ctx);
  await add({ state: "skipped" });
  await add({ state: "skipped", type: "webhook.test" });
  const [erased = ""] = await add({ state: "skipped" });
  await world.sql`
    update webhook_events set body = null where id = (select event_id from webhook_deliveries where id = ${erased})`;
  await world.sql`update webhook_endpoints set channel_ids = ${[other]}::uuid[] where id = ${id}`;
  const { skipped } = await inspect();
  const since = skipped.since ?? "";
  const replay = await replayWebhooks({ ctx, input: { id, since, only: "skipped", dry_run: true } });
  expect([skipped.count, replay.count]).toEqual([1, 1]);
});

test("more than a thousand are only said to be more", async () => {
  await add({ state: "pending", count: 1_001 });
  await add({ state: "skipped", count: 1_000 });
  expect(await inspect()).toMatchObject({
    waiting: { count: 1_000, is_more: true },
    skipped: { count: 1_000, is_more: false },
  });
});

test("of very many skipped ones the latest are looked at, and whether a replay would send any may stay open", async () => {
  await add({ state: "skipped", secondsAgo: 3_600 });
  await add({ state: "skipped", count: 2_001, type: "webhook.test" });
  expect(await inspect()).toMatchObject({ skipped: { count: 0, is_more: true, since: expect.any(String) } });
});

test("of one that fails it is told how it failed last, and when it will be disabled", async () => {
  const noteAttempt = async (deliveryId: string, secondsAgo: number, errorClass: string) => {
    await world.sql`
      insert into webhook_attempts (organization_id, delivery_id, number, started_at, http_status, error_class)
      values (${ctx.actor.organizationId}, ${deliveryId}, 1, now() - make_interval(secs => ${secondsAgo}), 503, ${errorClass})`;
    await world.sql`update webhook_deliveries set last_attempt_at = now() where id = ${deliveryId}`;
  };
  const [first = "", second = ""] = await add({ state: "pending", count: 2 });
  const [givenUp = ""] = await add({ state: "failed" });
  const [tested = ""] = await add({ state: "failed", type: "webhook.test" });
  await noteAttempt(first, 20, "status");
  await noteAttempt(second, 30, "timeout");
  await noteAttempt(givenUp, 40, "dns");
  await noteAttempt(tested, 10, "tls");
  expect(await inspect()).toMatchObject({ disabling_at: null, latest_failure: null });
  await world.sql`update webhook_endpoints set failing_since = '2026-01-31T12:00:00Z' where id = ${id}`;
  expect(await inspect()).toMatchObject({
    disabling_at: "2026-02-05T12:00:00.000Z",
    latest_failure: {
      delivery_id: first,
      error_class: "status",
      http_status: 503,
      started_at: expect.stringMatching(/Z$/),
    },
  });
  await world.sql`delete from webhook_deliveries where id = any(${[first, second]}::uuid[])`;
  await world.sql`
    update webhook_endpoints set disabled_at = now(), disabled_reason = 'failing' where id = ${id}`;
  expect(await inspect()).toMatchObject({ disabling_at: null, latest_failure: { error_class: "dns" } });
});

test("one delivery is shown with what is sent; one of another endpoint isn’t there", async () => {
  const [deliveryId = ""] = await add({ state: "failed" });
  const other = await addEndpoint(ctx, { url: PUBLIC_URL });
  const ask = (endpointId: string, delivery: string) =>
    inspectDelivery({ ctx, input: { id: endpointId, delivery_id: delivery } });
  expect(await ask(id, deliveryId)).toMatchObject({
    id: deliveryId,
    state: "failed",
    body: expect.stringContaining("message.received"),
    headers: { "webhook-id": deliveryId },
  });
  for (const [endpoint, delivery] of [
    [other.id, deliveryId],
    [id, other.id],
    [id, "malformed"],
  ] as const) {
    expect(await codeOf(ask(endpoint, delivery))).toBe("webhook_delivery_not_found");
  }
});

test("one of what a customer wrote tells whose it is; others tell nobody", async () => {
  const channelId = await connectTestChannel(ctx);
  const { threadId, contactId } = await openConversation(ctx, channelId);
  const sent = await queueText(ctx, threadId);
  const [received] = await world.sql<{ id: string }[]>`
    select id from messages where contact_id = ${contactId} and kind = 'inbound'`;
  const reported = async (messageId: string | null) => {
    const [delivery = ""] = await add({ messageId });
    return (await inspectDelivery({ ctx, input: { id, delivery_id: delivery } })).contact_id;
  };
  expect([await reported(received?.id ?? ""), await reported(sent), await reported(null)]).toEqual([
    contactId,
    null,
    null,
  ]);
});

test("a key asks for neither, whatever its scopes", async () => {
  const [deliveryId = ""] = await add({});
  const as = await asKey(ctx, { scopes: ["webhooks:manage"] });
  expect([
    await codeOf(inspectWebhook({ ctx: as, input: { id } })),
    await codeOf(inspectDelivery({ ctx: as, input: { id, delivery_id: deliveryId } })),
  ]).toEqual(["permission_denied", "permission_denied"]);
});
