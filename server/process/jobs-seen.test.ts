import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openTestWorld, type TestWorld } from "../organizations/testing";
import { areJobsRun } from "./jobs-seen";
import { keepNotingJobs } from "./watch";

let world: TestWorld;

beforeAll(async () => {
  world = await openTestWorld();
});
afterAll(() => world.close());

test("jobs count as run while a process that runs them lives, and no longer when it has stopped or died", async () => {
  const { services } = world;
  expect(await areJobsRun(services)).toBe(false);
  const first = keepNotingJobs(services);
  await vi.waitFor(async () => expect(await areJobsRun(services)).toBe(true));
  await first.stop();
  expect(await areJobsRun(services)).toBe(false);

  const second = keepNotingJobs(services);
  await vi.waitFor(async () => expect(await areJobsRun(services)).toBe(true));
  await world.database.sql`
    update installation set updated_at = now() - interval '21 seconds' where name = 'jobs_seen'`;
  expect(await areJobsRun(services)).toBe(false);
  await second.stop();
});
