import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "@/e2e/support/eventually";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { areJobsRun, readJobHeartbeats, recordJobHeartbeat, recordSweep } from "./heartbeats";
import { startJobHeartbeat } from "@/server/domain/poll";

let world: TestWorld;

beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
});
afterAll(() => world.close());

test("jobs count as run while a process that runs them lives, and no longer when it has stopped or died", async () => {
  const { services } = world;
  expect(await areJobsRun(services)).toBe(false);
  const first = startJobHeartbeat(services);
  await eventually(async () => expect(await areJobsRun(services)).toBe(true));
  await first.stop();
  expect(await areJobsRun(services)).toBe(false);

  const second = startJobHeartbeat(services);
  await eventually(async () => expect(await areJobsRun(services)).toBe(true));
  await diedSecondsAgo(21);
  expect(await areJobsRun(services)).toBe(false);
  await second.stop();
});

test("of several processes that run jobs one that stops takes nothing from the others, and what died is cleared away", async () => {
  const { services } = world;
  await recordJobHeartbeat(services, "died");
  await diedSecondsAgo(21);
  const others = ["first", "second", "third"].map((name) => startJobHeartbeat(services, name));
  const names = ["jobs_seen:first", "jobs_seen:second", "jobs_seen:third"];
  await eventually(async () => expect(await runners()).toEqual(names));
  for (const one of others) {
    expect(await areJobsRun(services)).toBe(true);
    await one.stop();
  }
  expect(await runners()).toEqual([]);
  expect(await areJobsRun(services)).toBe(false);
});

const diedSecondsAgo = (seconds: number) => world.database.sql`
  update installation set updated_at = now() - make_interval(secs => ${seconds})
  where starts_with(name, 'jobs_seen')`;

async function runners(): Promise<string[]> {
  const rows = await world.database.sql<{ name: string }[]>`
    select name from installation where starts_with(name, 'jobs_seen') order by name`;
  return rows.map(({ name }) => name);
}

test("a sweep is seen from its end on, and apart from the processes that run jobs", async () => {
  const { services } = world;
  expect(await readJobHeartbeats(services.sql)).toEqual({
    areRun: false,
    heartbeatSecondsAgo: null,
    sweptSecondsAgo: null,
    serverRanSecondsAgo: null,
  });
  await recordSweep(services);
  const seen = await readJobHeartbeats(services.sql);
  expect(seen.areRun).toBe(false);
  expect(seen.sweptSecondsAgo).toBeLessThan(20);
});
