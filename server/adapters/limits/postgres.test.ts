import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Granting, maxInWindow, openPostgresWorld, type StoreWorld } from "./testing";

/** Guarantees of PostgreSQL's window in addition to stores.test.ts. */
let world: StoreWorld;
beforeAll(async () => void (world = await openPostgresWorld()));
afterAll(() => world.close());

const LIMIT = 60;

const pass = (seconds: number) => world.pass(seconds);

/** The window of a subject that hasn't taken any unit yet. */
function newWindow() {
  const subject = randomUUID();
  return {
    take: (units = 1, limit = LIMIT) => world.one.take(subject, "send", limit, units),
    refund: (second: number, units: number) => world.one.refund(subject, "send", second, units),
  };
}

describe("a window", () => {
  test("holds what was taken for more than 60 seconds, and not for 61", async () => {
    const { take } = newWindow();
    await take(LIMIT);
    await pass(60);
    expect(await take()).toMatchObject({ granted: 0 });
    await pass(1);
    expect(await take(LIMIT)).toMatchObject({ granted: LIMIT });
  });

  test("slides: each second's units come back by themselves", async () => {
    const { take } = newWindow();
    await take(40);
    await pass(30);
    await take(20);
    await pass(31);
    expect(await take(LIMIT)).toMatchObject({ granted: 40, remaining: 0 });
    await pass(30);
    expect(await take(LIMIT)).toMatchObject({ granted: 20 });
  });

  test("never grants more than the limit in any 60 seconds, whatever the pace", async () => {
    const { take } = newWindow();
    const grantings: Granting[] = [];
    for (const [gap, units] of [
      [0, 25],
      [13, 30],
      [29, 17],
      [18, 60],
      [1, 60],
      [12, 44],
      [31, 9],
      [17, 60],
      [59, 60],
      [2, 60],
    ] as const) {
      if (gap > 0) await pass(gap);
      const { granted } = await take(units);
      grantings.push({ atMs: (await world.nowSeconds()) * 1000, units: granted });
    }
    expect(maxInWindow(grantings)).toBeLessThanOrEqual(LIMIT);
    expect(grantings.reduce((sum, { units }) => sum + units, 0)).toBeGreaterThan(LIMIT * 2);
  });
});

describe("the wait that a refusal names", () => {
  test("is at most 61 seconds, and one request after it succeeds, but not one before", async () => {
    const { take } = newWindow();
    await take(30);
    await pass(20);
    await take(30);
    const { retryAfterSeconds, freesAtSeconds } = await take();
    expect(retryAfterSeconds).toBe(41);
    expect(freesAtSeconds).toBe(Math.floor(await world.nowSeconds()) + 41);
    await pass(40);
    expect(await take()).toMatchObject({ granted: 0 });
    await pass(1);
    expect(await take()).toMatchObject({ granted: 1 });

    const full = newWindow();
    await full.take(LIMIT);
    expect((await full.take()).retryAfterSeconds).toBe(61);
  });

  test("holds also where the limit was lowered below what was taken", async () => {
    const { take } = newWindow();
    await take(30);
    await pass(10);
    await take(20);
    const { granted, retryAfterSeconds } = await take(1, 10);
    expect(granted).toBe(0);
    // The thirty have left the window by then, and twenty are still too many.
    await pass(51);
    expect(await take(1, 10)).toMatchObject({ granted: 0 });
    await pass(retryAfterSeconds - 51);
    expect(await take(1, 10)).toMatchObject({ granted: 1 });
  });
});

describe("units given back", () => {
  test("after they have left the window free nothing that others took", async () => {
    const { take, refund } = newWindow();
    const { takenSecond } = await take(10);
    await pass(61);
    await take(LIMIT);
    await refund(takenSecond, 10);
    expect(await take()).toMatchObject({ granted: 0 });
  });

  test("twice never free more than was taken in that second", async () => {
    const { take, refund } = newWindow();
    await take(59);
    await pass(5);
    const { takenSecond } = await take(1);
    await refund(takenSecond, 1);
    await refund(takenSecond, 1);
    expect(await take(LIMIT)).toMatchObject({ granted: 1 });
  });
});

describe("a clock that was set back", () => {
  test("by less than a window frees nothing, and the wait it names is true", async () => {
    const { take } = newWindow();
    await take(LIMIT);
    await pass(-30);
    const { granted, retryAfterSeconds } = await take();
    expect(granted).toBe(0);
    await pass(60);
    expect(await take()).toMatchObject({ granted: 0 });
    await pass(retryAfterSeconds - 60);
    expect(await take()).toMatchObject({ granted: 1 });
  });

  test("by more than a window refuses nobody for as long as the clock was wrong", async () => {
    const { take } = newWindow();
    await take(LIMIT);
    await pass(-3600);
    expect(await take(LIMIT)).toMatchObject({ granted: LIMIT });
  });
});
