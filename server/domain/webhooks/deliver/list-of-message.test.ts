import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { asKey, codeOf, openConversation, queueText } from "@/server/domain/messages/testing";
import { asMember, connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { listDeliveriesOfMessage } from "./list-of-message";
import { addEndpoint, addPastDeliveries, openWebhookWorld, PUBLIC_URL, type WebhookWorld } from "../testing";

let world: WebhookWorld;
let ctx: Context<SystemActor>;
let messageId: string;

beforeAll(async () => void (world = await openWebhookWorld()));
beforeEach(async () => {
  ctx = await createTestOrganization(world.services);
  const channelId = await connectTestChannel(ctx);
  messageId = await queueText(ctx, (await openConversation(ctx, channelId)).threadId);
});
afterAll(() => world.close());

const list = (as: Context = ctx, id = messageId) =>
  listDeliveriesOfMessage({ ctx: as, input: { message_id: id } });

test("an endpoint that wants other events, is of another channel or is disabled gets no event of the message", async () => {
  await addEndpoint(ctx, { url: PUBLIC_URL, events: ["message.received"] });
  await addEndpoint(ctx, { url: PUBLIC_URL, channelIds: [await connectTestChannel(ctx)] });
  const { id } = await addEndpoint(ctx, { url: PUBLIC_URL });
  expect(await list()).toMatchObject({ has_endpoints: true });
  await world.sql`update webhook_endpoints set disabled_at = now(), disabled_reason = 'gone' where id = ${id}`;
  expect(await list()).toMatchObject({ has_endpoints: false });
});

test("what each endpoint was told of a message is listed, with its last attempt", async () => {
  expect(await list()).toEqual({ data: [], has_endpoints: false, next_cursor: null });
  const shop = await addEndpoint(ctx, { url: PUBLIC_URL, description: "Shop" });
  const pull = await addEndpoint(ctx, { url: null });
  const [failed = ""] = await addPastDeliveries(ctx, shop.id, {
    messageId,
    state: "failed",
    type: "message.sent",
  });
  const [available = ""] = await addPastDeliveries(ctx, pull.id, {
    messageId,
    state: "available",
    type: "message.sent",
    secondsAgo: 30,
  });
  await addPastDeliveries(ctx, shop.id, {});
  await world.sql`
    insert into webhook_attempts (organization_id, delivery_id, number, error_class)
    values (${ctx.actor.organizationId}, ${failed}, 1, 'dns'), (${ctx.actor.organizationId}, ${failed}, 2, 'timeout')`;
  await world.sql`update webhook_deliveries set attempts_ever = 2 where id = ${failed}`;
  const { data, has_endpoints } = await list();
  expect(has_endpoints).toBe(true);
  expect(data).toEqual([
    {
      id: failed,
      endpoint: { id: shop.id, url: PUBLIC_URL, description: "Shop" },
      type: "message.sent",
      state: "failed",
      created_at: expect.stringMatching(/Z$/),
      next_attempt_at: null,
      attempts: 2,
      error_class: "timeout",
    },
    expect.objectContaining({ id: available, state: "available", attempts: 0, error_class: null }),
  ]);
});

test("an endpoint that was removed is left out, and so is whatever is another organization’s", async () => {
  const removed = await addEndpoint(ctx, { url: PUBLIC_URL, deletedAt: new Date() });
  await addPastDeliveries(ctx, removed.id, { messageId });
  expect((await list()).data).toEqual([]);
  const endpoint = await addEndpoint(ctx, { url: PUBLIC_URL });
  await addPastDeliveries(ctx, endpoint.id, { messageId });
  expect((await list()).data).toHaveLength(1);
  expect((await list(await createTestOrganization(world.services))).data).toEqual([]);
});

test("a member who may not manage webhooks sees of an address no more than its host", async () => {
  const endpoint = await addEndpoint(ctx, { url: `${PUBLIC_URL}/of-a-secret?token=hush` });
  const fetched = await addEndpoint(ctx, { url: null });
  for (const { id } of [endpoint, fetched]) await addPastDeliveries(ctx, id, { messageId });
  const urls = async (as: Context) => (await list(as)).data.map(({ endpoint: { url } }) => url);
  expect(await urls(await asMember(ctx, "agent"))).toEqual([`${new URL(PUBLIC_URL).origin}/`, null]);
  expect(await urls(await asMember(ctx, "admin"))).toEqual([`${PUBLIC_URL}/of-a-secret?token=hush`, null]);
});

test("a key asks in vain, whatever its scopes", async () => {
  const as = await asKey(ctx, { scopes: ["webhooks:manage"] });
  expect(await codeOf(list(as))).toBe("permission_denied");
});
