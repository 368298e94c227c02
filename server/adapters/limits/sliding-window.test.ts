import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Granting, maxInWindow, openRedisWorld, type RedisWorld } from "./testing";

/** Behaviour of the sliding window in a Redis, in addition to stores.test.ts. */
let world: RedisWorld;
beforeAll(async () => void (world = await openRedisWorld()));
afterAll(() => world.close());

const LIMIT = 60;

/** Moves the clock to this many seconds after the next full minute. */
async function passToMinute(seconds: number): Promise<void> {
  await world.pass(60 - ((await world.nowSeconds()) % 60) + seconds);
}

test("lets nearly twice the limit through across a bucket's edge, and not more", async () => {
  const subject = randomUUID();
  await passToMinute(58);
  const grantings: Granting[] = [];
  for (let second = 0; second < 60; second += 1) {
    const { granted } = await world.one.take(subject, "send", LIMIT, LIMIT);
    grantings.push({ atMs: (await world.nowSeconds()) * 1000, units: granted });
    await world.pass(1);
  }
  expect(maxInWindow(grantings)).toBeGreaterThan(1.9 * LIMIT);
  expect(maxInWindow(grantings)).toBeLessThan(2 * LIMIT);
});

test("keeps units of a bucket that has ended: they weigh less with every second", async () => {
  const subject = randomUUID();
  await passToMinute(59);
  const { takenSecond } = await world.one.take(subject, "send", LIMIT, LIMIT);
  await world.pass(1);
  await world.one.refund(subject, "send", takenSecond, LIMIT);
  expect(await world.one.take(subject, "send", LIMIT, 5)).toMatchObject({ granted: 0 });
  await world.pass(30);
  expect(await world.one.take(subject, "send", LIMIT, LIMIT)).toMatchObject({ granted: LIMIT / 2 });
});

describe("the keys in Redis", () => {
  const keysOf = async (subject: string) =>
    (await world.redis.ask(`KEYS *${subject}*`)).match(/waypost:\S+/g) ?? [];

  test("begin with the program's name, carry no limit, and expire within two windows", async () => {
    const subject = randomUUID();
    await world.one.take(subject, "send", LIMIT, 1);
    await world.one.take(subject, "send", LIMIT + 1, 1);
    const keys = await keysOf(subject);
    expect(keys).toEqual([expect.stringMatching(new RegExp(`^waypost:rate:send:${subject}:\\d+$`))]);
    const milliseconds = Number(/:(-?\d+)/.exec(await world.redis.ask(`PTTL ${keys[0]}`))?.[1]);
    expect(milliseconds).toBeGreaterThan(60_000);
    expect(milliseconds).toBeLessThanOrEqual(121_000);
  });

  test("aren't made by a refusal or by giving nothing back", async () => {
    const subject = randomUUID();
    await world.one.take(subject, "send", 0, 3);
    await world.one.refund(subject, "send", await world.nowSeconds(), 0);
    expect(await keysOf(subject)).toEqual([]);
  });
});

test("goes on when Redis has forgotten the scripts", async () => {
  const subject = randomUUID();
  await world.one.take(subject, "send", 2, 1);
  await world.redis.ask("SCRIPT FLUSH SYNC");
  expect(await world.one.take(subject, "send", 2, 3)).toMatchObject({ granted: 1, remaining: 0 });
});

test("sends each script once, and names it from then on", async () => {
  await world.redis.ask("CONFIG RESETSTAT");
  for (let i = 0; i < 20; i += 1) await world.one.take(randomUUID(), "send", LIMIT, 1);
  const stats = await world.redis.ask("INFO commandstats");
  expect(stats).toMatch(/cmdstat_evalsha:calls=2[0-9],/);
  expect(stats).not.toMatch(/cmdstat_eval:calls=([2-9]|\d\d)/);
});
