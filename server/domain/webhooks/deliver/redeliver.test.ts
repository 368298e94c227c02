import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { errorOf, UNKNOWN_ID } from "@/server/domain/keys/testing";
import { asKey, openConversation, queueText } from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { claimDeliveries } from "./claim";
import { deliverToEndpoint } from "./deliver";
import { redeliverWebhook } from "./redeliver";
import {
  addEndpoint,
  addPastDeliveries,
  auditOf,
  deliveriesOf,
  openWebhookWorld,
  PUBLIC_URL,
  type WebhookWorld,
} from "../testing";

let world: WebhookWorld;
let ctx: Context<SystemActor>;

beforeAll(async () => void (world = await openWebhookWorld()));
beforeEach(async () => void (ctx = await createTestOrganization(world.services)));
afterAll(() => world.close());

const endpointAt = async (url: string | null) => (await addEndpoint(ctx, { url })).id;
const redeliver = (id: string, deliveryId: string, as: Context = ctx) =>
  redeliverWebhook({ ctx: as, input: { id, delivery_id: deliveryId } });

/** Puts a delivery into its state after the last attempt. */
async function exhausted(id: string, state: "delivered" | "failed" | "skipped"): Promise<string> {
  const [deliveryId = ""] = await addPastDeliveries(ctx, id, { state });
  await world.sql`update webhook_deliveries set attempts = 10, attempts_ever = 10 where id = ${deliveryId}`;
  return deliveryId;
}

test("the same bytes come once more under the same id", async () => {
  const id = await endpointAt(world.receiver.url);
  const deliveryId = await exhausted(id, "delivered");
  const [before] = await deliveriesOf(world, id);
  await redeliver(id, deliveryId);
  await deliverToEndpoint(world.services, id);
  const calls = world.receiver.calls.filter(({ headers }) => headers["webhook-id"] === deliveryId);
  expect(calls.map(({ body }) => body)).toEqual([before?.body]);
  expect(await deliveriesOf(world, id)).toMatchObject([{ id: deliveryId, state: "delivered", attempts: 1 }]);
});

describe.each(["delivered", "failed", "skipped"] as const)("what is %s", (state) => {
  test("is due now with the whole schedule before it, is answered so, and wakes the endpoint", async () => {
    const id = await endpointAt(PUBLIC_URL);
    const deliveryId = await exhausted(id, state);
    expect(await redeliver(id.toUpperCase(), deliveryId.toUpperCase())).toMatchObject({
      id: deliveryId,
      state: "pending",
      next_attempt_at: expect.any(String),
    });
    const [row] = await deliveriesOf(world, id);
    expect(row).toMatchObject({ state: "pending", attempts: 0 });
    expect(row?.waitMs).toBeLessThanOrEqual(0);
    expect(world.notifiedEndpoints).toContain(id);
    expect(await auditOf(world, id)).toMatchObject([
      { action: "webhook.delivery_redelivered", subject_kind: "webhook", detail: { deliveryId } },
    ]);
    const [claimed] = await claimDeliveries(world.services, id, 1);
    expect(claimed).toMatchObject({ id: deliveryId, attempts: 1, number: 11 });
  });
});

test("what waits is due now, and what is just being called keeps its claim", async () => {
  const id = await endpointAt(PUBLIC_URL);
  const [deliveryId = ""] = await addPastDeliveries(ctx, id, { state: "pending" });
  await world.sql`
    update webhook_deliveries set next_attempt_at = now() + interval '5 hours', attempts = 6 where id = ${deliveryId}`;
  await redeliver(id, deliveryId);
  expect((await deliveriesOf(world, id))[0]?.waitMs).toBeLessThanOrEqual(0);
  await claimDeliveries(world.services, id, 1);
  await redeliver(id, deliveryId);
  expect(await deliveriesOf(world, id)).toMatchObject([{ state: "pending", isClaimed: true, attempts: 0 }]);
  expect(await claimDeliveries(world.services, id, 1)).toEqual([]);
});

describe("is refused", () => {
  test("where the endpoint is disabled, or has no URL", async () => {
    const disabled = await addEndpoint(ctx, {
      url: PUBLIC_URL,
      disabledAt: new Date(),
      disabledReason: "gone",
    });
    const fetched = await endpointAt(null);
    const skipped = await exhausted(disabled.id, "skipped");
    const [available = ""] = await addPastDeliveries(ctx, fetched, { state: "available" });
    const refused = (message: RegExp) => ({
      code: "webhook_not_delivering",
      message: expect.stringMatching(message),
    });
    expect(await errorOf(redeliver(disabled.id, skipped))).toMatchObject(refused(/is disabled/));
    expect(await errorOf(redeliver(fetched, available))).toMatchObject(refused(/no URL.* fetched/));
    expect(await deliveriesOf(world, fetched)).toMatchObject([{ state: "available" }]);
  });

  test("where the content is erased", async () => {
    const id = await endpointAt(PUBLIC_URL);
    const deliveryId = await exhausted(id, "failed");
    await world.sql`update webhook_events set body = null where organization_id = ${ctx.actor.organizationId}`;
    expect((await errorOf(redeliver(id, deliveryId)))?.code).toBe("webhook_event_erased");
    expect(await deliveriesOf(world, id)).toMatchObject([{ state: "failed" }]);
  });

  test("alike for a delivery that is unknown, malformed, another endpoint's, or another organization's", async () => {
    const id = await endpointAt(PUBLIC_URL);
    const otherEndpoint = await endpointAt(PUBLIC_URL);
    const other = await exhausted(otherEndpoint, "failed");
    const foreign = await createTestOrganization(world.services);
    const [theirs = ""] = await addPastDeliveries(
      foreign,
      (await addEndpoint(foreign, { url: PUBLIC_URL })).id,
    );
    const refusals = await Promise.all(
      [UNKNOWN_ID, "no-id", other, theirs].map((one) => errorOf(redeliver(id, one))),
    );
    expect(new Set(refusals.map((error) => JSON.stringify(error))).size).toBe(1);
    expect(refusals[0]).toMatchObject({ code: "webhook_delivery_not_found", field: "delivery_id" });
    expect(await deliveriesOf(world, otherEndpoint)).toMatchObject([{ state: "failed" }]);
  });

  test("for a message on a channel that the key may not use", async () => {
    const [own, other] = [await connectTestChannel(ctx), await connectTestChannel(ctx)];
    const messageId = await queueText(ctx, (await openConversation(ctx, other)).threadId);
    const { id } = await addEndpoint(ctx, { url: PUBLIC_URL, channelIds: [own] });
    const [deliveryId = ""] = await addPastDeliveries(ctx, id, { messageId, state: "failed" });
    const key = await asKey(ctx, { scopes: ["webhooks:manage"], channelIds: [own] });
    expect((await errorOf(redeliver(id, deliveryId, key)))?.code).toBe("webhook_delivery_not_found");
    expect(await errorOf(redeliver(id, deliveryId))).toBeNull();
  });
});
