import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import { codeOf } from "@/server/domain/messages/testing";
import { claimDeliveries, IN_FLIGHT_MAX } from "./claim";
import { WEBHOOK_EVENT_EXAMPLES } from "../events/event-examples";
import { WEBHOOK_EVENT_SCHEMAS } from "../events/event-schemas";
import { testEndpoint } from "./test-endpoint";
import {
  addPastDeliveries,
  deliveriesOf,
  endpointRow,
  endpointWith,
  openWebhookWorld,
  type WebhookWorld,
} from "../testing";

let world: WebhookWorld;

beforeAll(async () => void (world = await openWebhookWorld()));
afterAll(() => world.close());
beforeEach(() => {
  world.receiver.calls.length = 0;
  world.receiver.answersStatus(204);
});

describe("a test of an endpoint", () => {
  test("sends what the documentation shows, answers what the endpoint answered, and is among its deliveries", async () => {
    const { id, ctx } = await endpointWith(world, 0, { disabledAt: new Date(), disabledReason: "member" });
    world.receiver.answers((response) => void response.writeHead(418).end("short and stout"));
    const answered = await testEndpoint({ ctx, input: { id } });
    expect(answered).toMatchObject({
      state: "failed",
      http_status: 418,
      error_class: "status",
      answer: "short and stout",
    });
    const [call] = world.receiver.calls;
    expect(call?.headers["webhook-id"]).toBe(answered.event_id);
    const event = WEBHOOK_EVENT_SCHEMAS["webhook.test"].parse(JSON.parse(call?.body ?? ""));
    const { message } = WEBHOOK_EVENT_EXAMPLES["webhook.test"].data;
    expect(event).toMatchObject({ id: answered.event_id, data: { endpoint_id: id, message } });
    expect(await deliveriesOf(world, id)).toMatchObject([
      {
        id: answered.delivery_id,
        type: "webhook.test",
        state: "failed",
        waitMs: null,
        tries: [{ httpStatus: 418 }],
      },
    ]);
  });

  test("that fails says nothing of its health, and one that succeeds ends a back-off and has what waits posted", async () => {
    const { id, ctx } = await endpointWith(world, 0);
    world.receiver.answersStatus(410);
    expect(await testEndpoint({ ctx, input: { id } })).toMatchObject({
      state: "failed",
      error_class: "gone",
    });
    expect(await endpointRow(world, id)).toMatchObject({
      failingSince: null,
      disabledReason: null,
      backoffStreak: 0,
    });
    expect(world.notifiedEndpoints).not.toContain(id);
    await world.sql`
      update webhook_endpoints set failing_since = now(), backoff_streak = 3, backoff_set_at = now(),
        backoff_until = now() + interval '5 minutes' where id = ${id}`;
    world.receiver.answersStatus(200);
    expect(await testEndpoint({ ctx, input: { id } })).toMatchObject({
      state: "delivered",
      http_status: 200,
    });
    expect(await endpointRow(world, id)).toMatchObject({
      failingSince: null,
      backoffStreak: 0,
      backoffUntil: null,
    });
    expect(world.notifiedEndpoints).toContain(id);
  });

  test("is refused while another one runs", async () => {
    const { id, ctx } = await endpointWith(world, 0);
    const held: (() => void)[] = [];
    world.receiver.answers((response) => void held.push(() => void response.writeHead(204).end()));
    const first = testEndpoint({ ctx, input: { id } });
    await until("the endpoint is called", async () => held.length === 1);
    expect(await codeOf(testEndpoint({ ctx, input: { id } }))).toBe("webhook_test_running");
    held.forEach((answer) => answer());
    expect(await first).toMatchObject({ state: "delivered" });
    world.receiver.answersStatus(204);
    expect(await codeOf(testEndpoint({ ctx, input: { id } }))).toBeNull();
  });

  test("is refused after ten within a minute, and says for how long", async () => {
    const { id, ctx } = await endpointWith(world, 0);
    for (let i = 0; i < 10; i++) await testEndpoint({ ctx, input: { id } });
    const refused = testEndpoint({ ctx, input: { id } });
    const wait = expect.stringMatching(/^(?:[2-5][0-9]|60)$/);
    await expect(refused).rejects.toMatchObject({
      code: "webhook_test_limited",
      headers: { "Retry-After": wait },
    });
    expect(world.receiver.calls).toHaveLength(10);
    await world.sql`update webhook_deliveries set created_at = now() - interval '1 minute' where endpoint_id = ${id}`;
    expect(await codeOf(testEndpoint({ ctx, input: { id } }))).toBeNull();
  });

  test("is no call too many: it waits for a place, and gives up in the end", async () => {
    const { id, ctx } = await endpointWith(world, 0);
    await addPastDeliveries(ctx, id, { count: IN_FLIGHT_MAX, state: "pending" });
    const claimed = await claimDeliveries(world.services, id, IN_FLIGHT_MAX);
    expect(claimed).toHaveLength(IN_FLIGHT_MAX);
    await expect(testEndpoint({ ctx, input: { id } })).rejects.toMatchObject({
      code: "webhook_test_limited",
      headers: { "Retry-After": "5" },
    });
    expect(world.receiver.calls).toEqual([]);
    const waiting = testEndpoint({ ctx, input: { id } });
    await world.sql`update webhook_deliveries set claimed_until = now() where id = ${claimed[0]?.id ?? ""}`;
    expect(await waiting).toMatchObject({ state: "delivered" });
  });

  test("of one without an address waits to be fetched, ten within a minute too", async () => {
    const { id, ctx } = await endpointWith(world, 0, { url: null });
    for (let i = 0; i < 10; i++) await testEndpoint({ ctx, input: { id } });
    expect(await codeOf(testEndpoint({ ctx, input: { id } }))).toBe("webhook_test_limited");
    expect(await deliveriesOf(world, id)).toHaveLength(10);
  });

  test("of one without an address waits to be fetched", async () => {
    const { id, ctx } = await endpointWith(world, 0, { url: null });
    const { delivery_id } = await testEndpoint({ ctx, input: { id } });
    expect(await deliveriesOf(world, id)).toMatchObject([{ id: delivery_id, state: "available", tries: [] }]);
    expect(world.receiver.calls).toEqual([]);
  });
});
