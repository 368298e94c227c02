import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { until } from "@/e2e/support/until";
import { coalesceJobs } from "@/server/core/jobs";
import { openConversation } from "@/server/domain/messages/testing";
import { readJobHeartbeats } from "@/server/core/queue/heartbeats";
import { servicesWith } from "@/server/core/testing";
import { createConcurrencyLimiter } from "@/server/lib/concurrency-limiter";
import { IN_FLIGHT_MAX } from "@/server/domain/webhooks/deliver/claim";
import {
  addDeliveries,
  addEndpoint,
  deliveriesOf,
  endpointWith,
  makeDue,
  openWebhookWorld,
  type WebhookWorld,
} from "@/server/domain/webhooks/testing";
import { JOBS } from ".";
import { createEmbeddedExecutor } from "./embedded/executor";
import { webhookDue } from "./events";
import { eventOf } from "./send-signals";

let world: WebhookWorld;

beforeAll(async () => void (world = await openWebhookWorld({ database: "own" })));
afterAll(() => world.close());
beforeEach(() => {
  world.receiver.calls.length = 0;
  world.receiver.answersStatus(204);
});

/**
 * An executor without earlier events: its jobs run on events from now on, and by the clock, the sweep immediately.
 * Nothing polls for due rows in between, as a process does that runs the jobs itself.
 */
function startExecutor() {
  const jobs = coalesceJobs({
    notifyRunning: () => false,
    send: async (signals) => executor.send(signals.map(eventOf)),
  });
  const services = servicesWith(world.services, {
    jobs,
    concurrency: { webhooks: createConcurrencyLimiter(128) },
  });
  const executor = createEmbeddedExecutor(JOBS, { services, jobs });
  onTestFinished(() => executor.stop());
  return { services, send: executor.send, stop: () => executor.stop() };
}

const triesOf = async (endpointId: string) =>
  (await deliveriesOf(world, endpointId)).map(({ state, tries }) => ({
    state,
    statuses: tries.map(({ httpStatus }) => httpStatus),
  }));

/** Resolves when a sweep that began later has completed. */
async function untilSweptSince(momentMs: number): Promise<void> {
  const isSwept = async () => {
    const { sweptSecondsAgo } = await readJobHeartbeats(world.sql);
    return sweptSecondsAgo !== null && Date.now() - sweptSecondsAgo * 1000 > momentMs;
  };
  await until("a sweep has run", isSwept);
}

test("an event whose wake-up is lost altogether is delivered by the sweep, once", async () => {
  const { id } = await addEndpoint(world.ctx, { url: world.receiver.url, events: ["message.received"] });
  // The world's wake-ups are only recorded.
  await openConversation(world.ctx, world.channelId);
  expect(world.notifiedEndpoints).toContain(id);
  startExecutor();
  const isDelivered = async () => (await triesOf(id)).every(({ state }) => state === "delivered");
  await until("it is delivered", isDelivered);
  expect(await triesOf(id)).toEqual([{ state: "delivered", statuses: [204] }]);
  expect(world.receiver.calls).toHaveLength(1);
});

test("a retry of which Inngest has lost the wake-up is made by the sweep, when its time has come and not before", async () => {
  const { id } = await endpointWith(world, 1);
  world.receiver.answersStatus(500);
  const first = startExecutor();
  await until("it has failed", async () => (await triesOf(id))[0]?.statuses[0] === 500);
  await first.stop();
  await world.sql`update webhook_deliveries set next_attempt_at = now() + interval '1 hour' where endpoint_id = ${id}`;

  const startedAtMs = Date.now();
  const second = startExecutor();
  await untilSweptSince(startedAtMs);
  await second.stop();
  expect(await triesOf(id)).toEqual([{ state: "pending", statuses: [500] }]);

  await makeDue(world, id);
  world.receiver.answersStatus(204);
  startExecutor();
  await until("it is delivered", async () => (await triesOf(id))[0]?.state === "delivered");
  expect(await triesOf(id)).toEqual([{ state: "delivered", statuses: [500, 204] }]);
  expect(world.receiver.calls).toHaveLength(2);
});

test("a wake-up that comes twice, at once, to each of two processes has each delivery made once, within the endpoint's limit", async () => {
  const count = 3 * IN_FLIGHT_MAX;
  const { id, ctx } = await endpointWith(world, 0);
  const processes = [startExecutor(), startExecutor()];
  let inFlight = 0;
  let most = 0;
  world.receiver.answers((response) => {
    most = Math.max(most, (inFlight += 1));
    setImmediate(() => {
      inFlight -= 1;
      response.writeHead(204).end();
    });
  });
  await addDeliveries(ctx, id, count);
  const event = webhookDue.create({ endpointId: id });
  for (const { send } of processes) send([event, event, event]);
  const areDelivered = async () => (await triesOf(id)).every(({ state }) => state === "delivered");
  await until("all are delivered", areDelivered);
  await Promise.all(processes.map(({ stop }) => stop()));
  expect(await triesOf(id)).toEqual(
    Array.from({ length: count }, () => ({ state: "delivered", statuses: [204] })),
  );
  expect(new Set(world.receiver.calls.map(({ headers }) => headers["webhook-id"])).size).toBe(count);
  expect(world.receiver.calls).toHaveLength(count);
  expect(most).toBeLessThanOrEqual(IN_FLIGHT_MAX);
});
