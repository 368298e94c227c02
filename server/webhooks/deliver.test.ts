import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { recordOutcomes } from "../messages/record-outcomes";
import { openConversation, queueText, startCall } from "../messages/testing";
import { deliverToEndpoint } from "./deliver";
import { WEBHOOK_EVENT_SCHEMAS } from "./event-schemas";
import { addEndpoint, deliveriesOf, makeDue, openWebhookWorld, type WebhookWorld } from "./testing";

let world: WebhookWorld;

beforeAll(async () => {
  world = await openWebhookWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.receiver.calls.length = 0;
  world.receiver.answersStatus(204);
});

/** A message of the world's organization that WhatsApp took. */
async function sendMessage(): Promise<string> {
  const { threadId } = await openConversation(world.ctx, world.channelId);
  const messageId = await queueText(world.ctx, threadId);
  const { attemptId } = await startCall(world, messageId);
  const detail = { httpStatus: 200, upstreamCode: null, reason: "accepted" };
  await recordOutcomes(world.services, [
    { attemptId, messageId, outcome: { kind: "accepted", upstreamId: `wamid.${messageId}`, detail } },
  ]);
  return messageId;
}

describe("a delivery", () => {
  test("is made with the stored bytes, and verifies with the published packages", async () => {
    const { id, secret } = await addEndpoint(world.ctx, {
      url: world.receiver.url,
      events: ["message.sent"],
    });
    const messageId = await sendMessage();
    expect(world.wokenEndpoints).toContain(id);
    await deliverToEndpoint(world.services, id);
    const [call, ...others] = world.receiver.calls;
    expect(others).toEqual([]);
    const [delivery] = await deliveriesOf(world, id);
    expect(delivery).toMatchObject({
      state: "delivered",
      type: "message.sent",
      attempts: 1,
      isClaimed: false,
    });
    expect(call?.body).toBe(delivery?.body);
    expect(call?.headers["webhook-id"]).toBe(delivery?.id);
    const headers = Object.fromEntries(
      Object.entries(call?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    const verified = new Webhook(secret).verify(call?.body ?? "", headers);
    expect(new SvixWebhook(secret).verify(call?.body ?? "", headers)).toEqual(verified);
    const event = WEBHOOK_EVENT_SCHEMAS["message.sent"].parse(verified);
    expect(event.data).toMatchObject({
      message_id: messageId,
      previous_state: "queued",
      sequence: 1,
      inferred: false,
    });
  });

  test("that fails is tried again after each step of the schedule, and then has failed", async () => {
    const { id } = await addEndpoint(world.ctx, { url: world.receiver.url, events: ["message.sent"] });
    await sendMessage();
    world.receiver.answersStatus(500);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt++) {
      await deliverToEndpoint(world.services, id);
      const [delivery] = await deliveriesOf(world, id);
      expect(delivery?.tries).toHaveLength(attempt);
      if (delivery?.waitMs != null) waits.push(delivery.waitMs / 1000);
      await makeDue(world, id);
    }
    expect(waits).toHaveLength(9);
    [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].forEach((step, index) => {
      expect(waits[index]).toBeGreaterThan(step * 0.8 - 1);
      expect(waits[index]).toBeLessThanOrEqual(step * 1.2);
    });
    const [delivery] = await deliveriesOf(world, id);
    expect(delivery).toMatchObject({ state: "failed", waitMs: null, attempts: 10 });
    expect(
      new Set(world.receiver.calls.map(({ headers, body }) => `${String(headers["webhook-id"])} ${body}`))
        .size,
    ).toBe(1);
    await deliverToEndpoint(world.services, id);
    expect(world.receiver.calls).toHaveLength(10);
  });
});
