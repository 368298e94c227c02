import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { readConfig } from "@/server/platform/config";
import { openSendWorld, type SendWorld } from "@/server/domain/messages/testing";
import { doesServerRun } from "@/server/core/queue/heartbeats";
import { servicesWith } from "@/server/core/testing";
import { callFunction } from "./calls/testing";
import { createJobEngine } from "./engine";
import { callbacksReceived, channelDue, sweepDue } from "./events";

let world: SendWorld;
beforeAll(async () => {
  world = await openSendWorld({ database: "own" });
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.sql`delete from installation where name = 'inngest_ran'`;
});

/** A process that an Inngest server calls, and that can stop, with the events that it sends. */
function openCalled() {
  const env = { NODE_ENV: "test", INNGEST_DEV: "http://inngest.example" } as const;
  const events: string[] = [];
  const stopping = { isStopping: false };
  const services = servicesWith(world.services, { lifecycle: { isStopping: () => stopping.isStopping } });
  const engine = createJobEngine({
    config: readConfig(env, process.cwd()),
    log: services.log,
    services: () => services,
    runsJobs: true,
    async fetch(input, init) {
      const isEvent = new URL(new Request(input).url).pathname.startsWith("/e/");
      if (isEvent) events.push(await new Request(input, init).text());
      return Response.json({ ok: true, ids: ["1"], status: 200 });
    },
  });
  onTestFinished(() => engine.stop());
  const call = (id: string, event: { name: string; data: Record<string, unknown> }) =>
    callFunction(engine.serve, `waypost-${id}`, event);
  return { engine, events, stopping, call };
}

test.each([
  ["drain-channel", (channelId: string) => channelDue.create({ channelId })],
  ["process-callbacks", (channelId: string) => callbacksReceived.create({ channelId })],
] as const)("a call of %s that comes when nothing is claimed any more is passed on", async (id, eventFor) => {
  const { engine, events, stopping, call } = openCalled();
  const event = eventFor(world.channelId);
  await call(id, event);
  await engine.sent();
  expect(events).toEqual([]);
  stopping.isStopping = true;
  await call(id, event);
  await engine.sent();
  expect(events).toEqual([expect.stringContaining(event.name)]);
  expect(events.join()).toContain(world.channelId);
});

test("a call that comes when nothing is claimed any more doesn't count as the server's work", async () => {
  const { stopping, call } = openCalled();
  stopping.isStopping = true;
  await call("sweep", sweepDue.create({}));
  expect(await doesServerRun(world.services)).toBe(false);
  stopping.isStopping = false;
  await call("sweep", sweepDue.create({}));
  await expect.poll(() => doesServerRun(world.services)).toBe(true);
});
