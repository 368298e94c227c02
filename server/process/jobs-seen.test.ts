import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openTestWorld, type TestWorld } from "../organizations/testing";
import { areJobsRun, jobsSeen, noteSweep } from "./jobs-seen";
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

test("a sweep is seen from its end on, and apart from the processes that run jobs", async () => {
  const { services } = world;
  expect(await jobsSeen(services.sql)).toEqual({
    areRun: false,
    sweptSecondsAgo: null,
    serverRanSecondsAgo: null,
  });
  await noteSweep(services);
  const seen = await jobsSeen(services.sql);
  expect(seen.areRun).toBe(false);
  expect(seen.sweptSecondsAgo).toBeLessThan(20);
});
