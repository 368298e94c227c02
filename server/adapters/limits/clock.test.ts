import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/db/testing";
import { createLogger } from "@/server/platform/log";
import { setClockWrong, WRONG_CLOCKS } from "@/server/testing";
import { createLimits } from "./limits";
import { createPostgresStore } from "./postgres";

let database: TestDatabase;

beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());
afterEach(() => void vi.useRealTimers());

test.each(WRONG_CLOCKS)(
  "a process's clock that is set an hour %s frees no unit, and makes nobody wait for more than a minute",
  async (_, byMs) => {
    const limits = createLimits(createPostgresStore(database.sql), createLogger({ level: "silent" }));
    const key = randomUUID();
    const take = () =>
      limits.take(key, "send", 3).then(
        () => null,
        (error: unknown) => error,
      );
    expect(await take()).toBeNull();
    const setAtMs = Date.now();
    setClockWrong(byMs);
    expect([await take(), await take()]).toEqual([null, null]);
    const refused = await take();
    expect(refused).toMatchObject({ code: "rate_limited" });
    const { headers } = refused as { headers: Record<string, string> };
    expect(Number(headers["Retry-After"])).toBeGreaterThan(0);
    expect(Number(headers["Retry-After"])).toBeLessThanOrEqual(61);
    // By the database's clock, which every process shares.
    expect(Math.abs(Number(headers["X-RateLimit-Reset"]) - setAtMs / 1000)).toBeLessThan(
      Math.abs(byMs) / 2000,
    );
    vi.useRealTimers();
    expect(await take()).toMatchObject({ code: "rate_limited" });
  },
);
