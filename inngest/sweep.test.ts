import { expect, onTestFinished, test } from "vitest";
import type { Services } from "@/server/context";
import { openTestWorld } from "@/server/organizations/testing";
import { jobsSeen } from "@/server/process/jobs-seen";
import { createJobEngine } from "./engine";

test("a sweep that has run leaves word of it, by which an operator sees that sweeps run", async () => {
  const world = await openTestWorld();
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
  expect((await jobsSeen(services.sql)).sweptSecondsAgo).toBeNull();
  engine.start();
  const sweptSecondsAgo = async () => (await jobsSeen(services.sql)).sweptSecondsAgo;
  await expect.poll(sweptSecondsAgo, { timeout: 20_000 }).not.toBeNull();
});
