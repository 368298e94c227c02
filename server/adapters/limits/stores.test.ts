import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLogger } from "@/server/platform/log";
import { createLimits } from "./limits";
import {
  type Granting,
  maxInWindow,
  openPostgresWorld,
  openRedisWorld,
  openUpstashWorld,
  type StoreWorld,
} from "./testing";

const LIMIT = 60;
/** Larger in a long run. */
const PROPERTY_RUNS = Number(process.env.PROPERTY_RUNS ?? 20);
const log = createLogger({ level: "silent" });

/** The guarantee of each store about the units granted in any 60 seconds. */
const STORES = [
  { name: "postgres", open: openPostgresWorld, unitsMax: LIMIT },
  { name: "redis", open: openRedisWorld, unitsMax: 2 * LIMIT },
  { name: "upstash", open: openUpstashWorld, unitsMax: 2 * LIMIT },
] as const satisfies readonly { name: string; open: () => Promise<StoreWorld>; unitsMax: number }[];

describe.each(STORES)("the limiter in $name", ({ name, open, unitsMax }) => {
  let world: StoreWorld;
  beforeAll(async () => void (world = await open()));
  afterAll(() => world.close());

  /** The window of a subject that hasn't taken any unit yet. */
  function newWindow() {
    const subject = randomUUID();
    return {
      subject,
      take: (units = 1, limit = LIMIT) => world.one.take(subject, "send", limit, units),
      refund: (second: number, units: number) => world.one.refund(subject, "send", second, units),
    };
  }

  test("is told apart by its name", () => expect(world.one.name).toBe(name));

  test("grants the limit and no more to however many at once, over two processes", async () => {
    const { subject } = newWindow();
    const grants = await Promise.all(
      Array.from({ length: 61 }, (_, i) => (i % 2 ? world.one : world.other).take(subject, "send", LIMIT, 1)),
    );
    expect(grants.filter((grant) => grant.granted === 1)).toHaveLength(60);
    expect(grants.find((grant) => grant.granted === 0)).toMatchObject({ remaining: 0 });
  });

  test("grants exactly what is free when two processes ask for more at the same time", async () => {
    const { subject } = newWindow();
    const asked = [world.one, world.other, world.one, world.other].map((store) =>
      store.take(subject, "send", LIMIT, 45),
    );
    const granted = (await Promise.all(asked)).map((grant) => grant.granted);
    expect(granted.reduce((sum, units) => sum + units, 0)).toBe(LIMIT);
    expect(await world.one.take(subject, "send", LIMIT + 5, 10)).toMatchObject({ granted: 5 });
  });

  test("grants as many of several as are free, and a refusal costs nothing", async () => {
    const { take } = newWindow();
    expect(await take(50)).toMatchObject({ granted: 50, remaining: 10 });
    expect(await take(50)).toMatchObject({ granted: 10, remaining: 0 });
    expect(await take(50)).toMatchObject({ granted: 0, remaining: 0 });
    expect(await take(50, LIMIT + 3)).toMatchObject({ granted: 3, remaining: 0 });
  });

  test("grants many more at once than it asks for at once", async () => {
    const { take } = newWindow();
    expect(await take(1000, 950)).toMatchObject({ granted: 950, remaining: 0 });
  });

  test("keeps another bucket or subject apart", async () => {
    const { take, subject } = newWindow();
    await take(LIMIT);
    expect(await world.one.take(subject, "read", LIMIT, 1)).toMatchObject({ granted: 1 });
    expect(await newWindow().take()).toMatchObject({ granted: 1 });
  });

  test("lets concurrent callers of two processes have the limit and no more, each told what is left", async () => {
    const processes = [createLimits(world.one, log), createLimits(world.other, log)] as const;
    const key = randomUUID();
    const callers = Array.from({ length: 80 }, (_, i) => processes[i % 2 ? 0 : 1].take(key, "send", LIMIT));
    const settled = await Promise.allSettled(callers);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(LIMIT);
    const refusals = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(refusals[0]).toMatchObject({ code: "rate_limited", headers: { "X-RateLimit-Remaining": "0" } });
    expect(processes.map((limits) => limits.failures())).toEqual([0, 0]);
  });

  describe("the wait that a refusal names", () => {
    test.each([0, 0.9, 20, 59.75])("holds %d seconds later", async (seconds) => {
      await world.pass(seconds);
      const { take } = newWindow();
      await take(LIMIT);
      const { granted, retryAfterSeconds, freesAtSeconds } = await take();
      expect(granted).toBe(0);
      expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
      expect(retryAfterSeconds).toBeLessThanOrEqual(61);
      expect(retryAfterSeconds).toBe(Math.ceil(freesAtSeconds - (await world.nowSeconds())));
      await world.pass(retryAfterSeconds);
      expect(await take()).toMatchObject({ granted: 1 });
    });

    test("holds at a whole second and for a limit of one", async () => {
      await world.pass(1 - ((await world.nowSeconds()) % 1));
      const { take } = newWindow();
      await take(1, 1);
      const { granted, retryAfterSeconds } = await take(1, 1);
      expect(granted).toBe(0);
      await world.pass(retryAfterSeconds);
      expect(await take(1, 1)).toMatchObject({ granted: 1 });
      await world.pass(0.25);
    });

    test("holds for a limit of one", async () => {
      const { take } = newWindow();
      await take(1, 1);
      const { granted, retryAfterSeconds } = await take(1, 1);
      expect(granted).toBe(0);
      await world.pass(retryAfterSeconds);
      expect(await take(1, 1)).toMatchObject({ granted: 1 });
    });

    test("holds also where the limit was lowered below what was taken", async () => {
      const { take } = newWindow();
      await take(50);
      await world.pass(10);
      const { granted, retryAfterSeconds } = await take(1, 10);
      expect(granted).toBe(0);
      await world.pass(retryAfterSeconds);
      expect(await take(1, 10)).toMatchObject({ granted: 1 });
    });
  });

  describe("units given back", () => {
    test("can be taken again at once", async () => {
      const { take, refund } = newWindow();
      const { takenSecond } = await take(LIMIT);
      await refund(takenSecond, 2);
      expect(await take(5)).toMatchObject({ granted: 2, remaining: 0 });
    });

    test("after they have left the window free nothing that others took", async () => {
      const { take, refund } = newWindow();
      const { takenSecond } = await take(10);
      await world.pass(121);
      await take(LIMIT);
      await refund(takenSecond, 10);
      expect(await take()).toMatchObject({ granted: 0 });
    });

    test("of nothing free nothing", async () => {
      const { take, refund } = newWindow();
      const { takenSecond } = await take(LIMIT);
      await refund(takenSecond, 0);
      expect(await take()).toMatchObject({ granted: 0 });
    });
  });

  /** Milliseconds to wait, units to request, and the share of them that is given back immediately. */
  const step = fc.record({
    gapMs: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 70_000 })),
    units: fc.integer({ min: 1, max: LIMIT + 10 }),
    givenBackOf: fc.option(fc.nat({ max: 9 }), { nil: null }),
  });

  test(`never grants more than ${unitsMax} of ${LIMIT} in any 60 seconds, whatever is taken and given back`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 15 }), async (steps) => {
        const { take, refund } = newWindow();
        const grantings: (Granting & { readonly second: number })[] = [];
        for (const { gapMs, units, givenBackOf } of steps) {
          await world.pass(gapMs / 1000);
          const { granted, takenSecond } = await take(units);
          grantings.push({ atMs: (await world.nowSeconds()) * 1000, units: granted, second: takenSecond });
          const earlier = givenBackOf === null ? undefined : grantings.at(-1 - givenBackOf);
          if (!earlier || earlier.units === 0) continue;
          await refund(earlier.second, 1);
          earlier.units -= 1;
        }
        expect(maxInWindow(grantings)).toBeLessThanOrEqual(unitsMax);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
});
