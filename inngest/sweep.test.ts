import { serve } from "inngest/edge";
import { expect, onTestFinished, test } from "vitest";
import type { Services } from "@/server/core/context";
import { coalesceJobs } from "@/server/core/jobs";
import { breakingAfter } from "@/server/domain/messages/testing";
import { openTestWorld } from "@/server/domain/organizations/testing";
import { readJobHeartbeats } from "@/server/core/queue/heartbeats";
import { servicesWith } from "@/server/core/testing";
import { createFunctions } from ".";
import { createInngestClient, EMBEDDED_BASE_URL } from "./client";
import { runFunction } from "./embedded/run";
import { createJobEngine } from "./engine";

test("a sweep that has taken all of its steps leaves word of it, by which an operator sees that sweeps run", async () => {
  const world = await openTestWorld({ database: "own" });
  const engine = createJobEngine({
    config: world.services.config,
    log: world.services.log,
    runsJobs: true,
    services: () => services,
  });
  const services: Services = { ...world.services, jobs: engine.jobs };
  onTestFinished(async () => {
    await engine.stop();
    await world.close();
  });
  expect((await readJobHeartbeats(services.sql)).sweptSecondsAgo).toBeNull();
  engine.start();
  const sweptSecondsAgo = async () => (await readJobHeartbeats(services.sql)).sweptSecondsAgo;
  await expect.poll(sweptSecondsAgo).not.toBeNull();
});

test("a sweep is made also when the next ones can't be asked for", async () => {
  const world = await openTestWorld({ database: "own" });
  onTestFinished(() => world.close());
  await sweepOnce(world.services, async () => Response.json({ error: "refused" }, { status: 400 }));
  expect((await readJobHeartbeats(world.services.sql)).sweptSecondsAgo).not.toBeNull();
});

test("a sweep that fails in a step, or ends with its process, leaves no word of having run", async () => {
  const world = await openTestWorld({ database: "own" });
  onTestFinished(() => world.close());
  const { services } = world;
  await sweepOnce(breakingAfter(services, "update messages m set claim_token = null"));
  await sweepOnce(servicesWith(services, { lifecycle: { isStopping: () => true } }));
  expect((await readJobHeartbeats(services.sql)).sweptSecondsAgo).toBeNull();
});

const takesEvents: typeof fetch = async () => Response.json({ ids: [], status: 200 });

/** Runs it as its cron does. The next runs are requested with `fetch`. */
async function sweepOnce(services: Services, fetch = takesEvents): Promise<void> {
  const client = createInngestClient({ inngest: null, log: services.log, fetch });
  const functions = createFunctions(client, { services, jobs: coalesceJobs(NOBODY) });
  const handler = serve({ client, functions });
  const event = { name: "inngest/scheduled.timer", data: {}, ts: Date.now() };
  await runFunction(handler, `${client.id}-sweep`, event, EMBEDDED_BASE_URL);
}

const NOBODY = { notifyRunning: () => false, send: async () => undefined };
