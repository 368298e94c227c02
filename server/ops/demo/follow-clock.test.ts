import type { ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { drainChannel } from "@/server/domain/messages/deliver/drain";
import { messageRow, openConversation, queueText } from "@/server/domain/messages/testing";
import { deliverToEndpoint } from "@/server/domain/webhooks/deliver/deliver";
import { endpointWith, openWebhookWorld, type WebhookWorld } from "@/server/domain/webhooks/testing";
import { serveOnLoopback } from "@/server/edge/http/testing";
import { newCalls } from "@/server/lib/new-calls";
import { wallClock } from "@/server/lib/wall-clock";
import { followClock } from "./follow-clock";

const HOUR_MS = 3_600_000;

let world: WebhookWorld;

beforeAll(async () => void (world = await openWebhookWorld({ isClockMovable: true })));
afterAll(async () => {
  wallClock.setAheadMs(0);
  await world.close();
});

interface Report {
  readonly ahead_ms: number;
  readonly answer: { readonly to_ms: number; readonly refusal: string | null } | null;
}

/** A simulator whose answers the test gives, and a Waypost that follows it. */
async function startFollowing() {
  const reports: Report[] = [];
  let held: ServerResponse | undefined;
  const simulator = await serveOnLoopback((request, response) => {
    void json(request).then((report) => {
      reports.push(report as Report);
      held = response;
    });
  });
  const { services } = world;
  const own = { ...services, config: { ...services.config, databaseUrl: null } };
  const url = simulator.url;
  const following = followClock({ services: own, simulatorUrl: () => url, runsJobs: false, name: "Waypost" });
  onTestFinished(async () => {
    await following.stop();
    await simulator.close();
  });
  const reportAfter = async (count: number) => {
    await vi.waitFor(() => expect(reports).toHaveLength(count), { timeout: 10_000 });
    return reports.at(-1);
  };
  return {
    reportAfter,
    /** Answers the request that is held, and returns the next one. */
    async say(state: object): Promise<Report | undefined> {
      await vi.waitFor(() => expect(held).toBeDefined());
      const count = reports.length;
      held?.setHeader("Content-Type", "application/json").end(JSON.stringify(state));
      held = undefined;
      return reportAfter(count + 1);
    },
    breakOff: () => held?.destroy(),
  };
}

/** A call that is in progress for two seconds. */
async function startCall(): Promise<void> {
  const { id } = await endpointWith(world, 1);
  await world.sql`
    update webhook_deliveries set claim_token = gen_random_uuid(), claimed_until = clock_timestamp() + interval '2 seconds'
    where endpoint_id = ${id}`;
}

const areCallsHeld = () =>
  Promise.race([newCalls.allowed().then(() => false), setImmediate().then(() => true)]);

test("from the question on, Waypost starts no call until the clock has moved, and waits for those in progress", async () => {
  const simulator = await startFollowing();
  await simulator.reportAfter(1);
  await startCall();
  const { id } = await endpointWith(world, 1);
  const { threadId } = await openConversation(world.ctx, world.channelId);
  const messageId = await queueText(world.ctx, threadId);
  const asked = simulator.say({ ahead_ms: 0, move: { to_ms: HOUR_MS, step: "ask" } });
  await vi.waitFor(async () => expect(await areCallsHeld()).toBe(true));
  const calls = [deliverToEndpoint(world.services, id), drainChannel(world.services, world.channelId)];
  const started = Promise.race(calls).then(() => "started");
  expect(await Promise.race([started, asked])).toMatchObject({
    ahead_ms: 0,
    answer: { to_ms: HOUR_MS, refusal: null },
  });
  const going = simulator.say({ ahead_ms: 0, move: { to_ms: HOUR_MS, step: "go" } });
  expect(await Promise.race([started, going])).toMatchObject({ ahead_ms: HOUR_MS });
  expect(world.receiver.calls).toEqual([]);
  await simulator.say({ ahead_ms: HOUR_MS, move: null });
  await Promise.all(calls);
  expect(world.receiver.calls).toHaveLength(1);
  expect(await messageRow(world, messageId)).toMatchObject({ state: "sent" });
});

test("a simulator that dies after its question doesn't hold calls back", async () => {
  const simulator = await startFollowing();
  await simulator.reportAfter(1);
  const ahead_ms = wallClock.aheadMs();
  await simulator.say({ ahead_ms, move: { to_ms: ahead_ms + HOUR_MS, step: "ask" } });
  const { id } = await endpointWith(world, 1);
  const before = world.receiver.calls.length;
  const delivering = deliverToEndpoint(world.services, id);
  const brokenOffAtMs = performance.now();
  simulator.breakOff();
  await delivering;
  expect(performance.now() - brokenOffAtMs).toBeLessThan(15_000);
  expect(world.receiver.calls).toHaveLength(before + 1);
});
