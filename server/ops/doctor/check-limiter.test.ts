import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startRedis } from "@/e2e/support/redis-server";
import { startUpstashBridge } from "@/e2e/support/upstash-bridge";
import type { LimiterConfig } from "@/server/platform/limiter-config";
import type { LimiterStore } from "@/server/adapters/limits/limits";
import { createPostgresStore } from "@/server/adapters/limits/postgres";
import { TEST_SECRET } from "@/server/domain/organizations/testing";
import { checkLimiter, checkStore } from "./check-limiter";
import { type DoctorWorld, openDoctorWorld } from "./testing";

let world: DoctorWorld;
beforeAll(async () => void (world = await openDoctorWorld(TEST_SECRET)));
afterAll(() => world.close());

/** The store in PostgreSQL, with an action before each of its grants. */
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
    checkStore(before(async () => void (await world.database.sql`select pg_sleep(${seconds})`)));
  const [warned] = await slow(0.15);
  expect(["warn", "fail"]).toContain(warned?.state);
  expect(await slow(0.51)).toMatchObject([{ state: "fail" }]);
});

test("a store that errors fails", async () => {
  const broken = before(() => Promise.reject(new Error("READONLY at 10.0.0.1")));
  const [finding] = await checkStore(broken);
  expect(finding).toMatchObject({
    state: "fail",
    seen: "postgres grants nothing: Error; it is in the database",
  });
});

describe("the store that the configuration names", () => {
  const check = (limiter: LimiterConfig) =>
    checkLimiter({ ...world.installation, config: { ...world.installation.config, limiter } });

  test("is the one that is asked", async () => {
    const redis = await startRedis({ password: "s3cret" });
    const bridge = await startUpstashBridge(redis.url);
    const { url, token } = bridge;
    expect(await check({ kind: "redis", url: redis.url })).toMatchObject([
      { seen: expect.stringMatching(/^redis grants a unit in \d+ ms$/) },
    ]);
    expect(await check({ kind: "upstash", url, token })).toMatchObject([
      { seen: expect.stringMatching(/^upstash grants a unit in \d+ ms$/) },
    ]);
    expect(await redis.ask("KEYS waypost:rate:read:*")).toContain("00000000-0000-0000-0000-000000000000");
    await bridge.close();
    await redis.close();
  });

  test("fails where it refuses the password or the token, and the finding repeats neither", async () => {
    const redis = await startRedis({ password: "s3cret" });
    const bridge = await startUpstashBridge(redis.url);
    const refused = [
      ...(await check({ kind: "redis", url: redis.url.replace("s3cret", "wr0ng") })),
      ...(await check({ kind: "upstash", url: bridge.url, token: "wr0ng" })),
    ];
    expect(refused.map(({ state }) => state)).toEqual(["fail", "fail"]);
    expect(refused.map(({ seen }) => seen)).toEqual([
      expect.stringContaining("WRONGPASS"),
      expect.stringContaining("401"),
    ]);
    expect(refused.map(({ remedy }) => remedy)).toEqual([
      expect.stringMatching(/^Check that REDIS_URL has the right host, port, user and password/),
      expect.stringMatching(/^Check that UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN/),
    ]);
    expect(JSON.stringify(refused)).not.toContain("wr0ng");
    await bridge.close();
    await redis.close();
  });
});
