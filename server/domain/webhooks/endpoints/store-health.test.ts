import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { queueState, dueEndpoints } from "../deliver/claim";
import { deliverToEndpoint } from "../deliver/deliver";
import {
  addDeliveries,
  deliveriesOf,
  endpointRow,
  endpointWith,
  makeDue,
  openWebhookWorld,
  webhookAuditOf,
  type WebhookWorld,
} from "../testing";

let world: WebhookWorld;

beforeAll(async () => {
  world = await openWebhookWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.receiver.calls.length = 0;
  world.receiver.answersStatus(204);
});

describe("an endpoint that can't be reached", () => {
  test("is asked by one delivery at a time, and the others don't use up their schedule", async () => {
    const { id } = await endpointWith(world, 5);
    world.receiver.answers((response) => void response.destroy());
    const { services } = world;
    for (let probe = 0; probe < 4; probe++) {
      await makeDue(world, id);
      await deliverToEndpoint(services, id);
    }
    // The first claim took all due ones, because nothing was known; each later one took one.
    const tries = (await deliveriesOf(world, id)).map(({ attempts }) => attempts);
    expect(tries.reduce((sum, one) => sum + one, 0)).toBe(5 + 3);
    expect(await endpointRow(world, id)).toMatchObject({ backoffStreak: 4 });
    const before = world.receiver.calls.length;
    await world.sql`update webhook_deliveries set next_attempt_at = now() where endpoint_id = ${id}`;
    await deliverToEndpoint(services, id);
    expect(world.receiver.calls.length).toBe(before);
    world.receiver.answersStatus(200);
    await makeDue(world, id);
    await deliverToEndpoint(services, id);
    expect(await endpointRow(world, id)).toMatchObject({ backoffStreak: 0, failingSince: null });
    expect((await deliveriesOf(world, id)).map(({ state }) => state)).toEqual(Array(5).fill("delivered"));
  });

  test("is woken again when its back-off ends", async () => {
    const { id } = await endpointWith(world, 2);
    world.receiver.answers((response) => void response.destroy());
    await deliverToEndpoint(world.services, id);
    const { backoffUntil } = await endpointRow(world, id);
    const at = (await queueState(world.services, id)).nextDueAt;
    expect(at?.getTime()).toBeGreaterThanOrEqual(backoffUntil?.getTime() ?? Number.POSITIVE_INFINITY);
    expect(await dueEndpoints(world.services)).not.toContain(id);
    await makeDue(world, id);
    expect(await dueEndpoints(world.services)).toContain(id);
  });
});

describe("an endpoint that fails", () => {
  test("is told of in the audit log after an hour, and disabled after five days", async () => {
    const { id, ctx } = await endpointWith(world, 1);
    world.receiver.answersStatus(500);
    const failsSince = async (hours: number) => {
      await world.sql`update webhook_endpoints set failing_since = now() - make_interval(hours => ${hours}) where id = ${id}`;
      await makeDue(world, id);
      await deliverToEndpoint(world.services, id);
    };
    await deliverToEndpoint(world.services, id);
    const { failingSince } = await endpointRow(world, id);
    expect(failingSince).not.toBeNull();
    await failsSince(1);
    await failsSince(2);
    expect(await endpointRow(world, id)).toMatchObject({ disabledReason: null });
    await failsSince(5 * 24);
    expect(await endpointRow(world, id)).toMatchObject({ disabledReason: "failing" });
    expect(await webhookAuditOf(world, ctx.actor.organizationId)).toEqual([
      { action: "webhook.failing", actorKind: "system", reason: null },
      { action: "webhook.disabled", actorKind: "system", reason: "failing" },
    ]);
    await addDeliveries(ctx, id, 1);
    await deliverToEndpoint(world.services, id);
    expect((await deliveriesOf(world, id)).map(({ state }) => state)).toEqual(["skipped", "skipped"]);
  });
});
