import { afterAll, beforeAll, expect, test } from "vitest";
import type { LimiterStore } from "../limits/limits";
import { createPostgresStore } from "../limits/postgres";
import { TEST_SECRET } from "../organizations/testing";
import { checkLimiter } from "./check-limiter";
import { type DoctorWorld, openDoctorWorld } from "./testing";

let world: DoctorWorld;
beforeAll(async () => void (world = await openDoctorWorld(TEST_SECRET)));
afterAll(() => world.close());

/** The store in PostgreSQL, and what is done before each of its grants. */
function before(act: () => Promise<void>): LimiterStore {
  const store = createPostgresStore(world.database.sql);
  return {
    ...store,
    take: async (...args) => {
      await act();
      return store.take(...args);
    },
  };
}

test("a store that grants is well, and gets its unit back", async () => {
  expect(await checkLimiter(world.installation)).toMatchObject([
    { what: "store", seen: expect.stringMatching(/^postgres grants a unit in \d+ ms$/) },
  ]);
  const [row] = await world.database.sql<{ taken: number }[]>`
    select (select sum(n) from unnest(counts) n)::int as taken from rate_windows`;
  expect(row?.taken).toBe(0);
});

test("a store that is slow is pointed out, and fails where the API no longer waits for it", async () => {
  const slow = (seconds: number) =>
    checkLimiter(
      world.installation,
      before(async () => void (await world.database.sql`select pg_sleep(${seconds})`)),
    );
  const [warned] = await slow(0.15);
  expect(["warn", "fail"]).toContain(warned?.state);
  expect(await slow(0.51)).toMatchObject([{ state: "fail" }]);
});

test("a store that errors fails", async () => {
  const broken = before(() => Promise.reject(new Error("READONLY at 10.0.0.1")));
  const [finding] = await checkLimiter(world.installation, broken);
  expect(finding).toMatchObject({ state: "fail", seen: "postgres grants nothing: Error" });
});
