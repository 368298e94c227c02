import { expect, onTestFinished, test } from "vitest";
import type { Services } from "@/server/core/context";
import { coalesceJobs } from "@/server/core/jobs";
import { breakingAfter } from "@/server/domain/messages/testing";
import { openTestWorld } from "@/server/domain/organizations/testing";
import { readJobHeartbeats } from "@/server/core/queue/heartbeats";
import { servicesWith } from "@/server/core/testing";
import { createJobEngine } from "./engine";
import type { JobRunner } from "./job";
import { sweepJob } from "./sweep";

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
  await sweepOnce(world.services, () => Promise.reject(new Error("refused")));
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

/** Runs it as the clock does. The next runs are requested with `send`. */
function sweepOnce(services: Services, send: JobRunner["send"] = async () => undefined): Promise<void> {
  const runner = { services, jobs: coalesceJobs(NOBODY), send };
  return sweepJob.run(runner, { name: "inngest/scheduled.timer", data: {} });
}

const NOBODY = { notifyRunning: () => false, send: async () => undefined };
