import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { startRedis } from "@/e2e/support/redis-server";
import { connectTestChannel, TEST_SECRET } from "@/server/domain/organizations/testing";
import { recordIntakeHeartbeat } from "@/server/domain/messages/sweep";
import { recordJobHeartbeat, recordSweep } from "@/server/core/queue/heartbeats";
import { examine } from "./examine";
import type { Installation } from "./installation";
import { perform } from "./perform";
import { type DoctorWorld, openDoctorWorld } from "./testing";

let world: DoctorWorld;
beforeAll(async () => {
  world = await openDoctorWorld(TEST_SECRET);
  await connectTestChannel(world.ctx);
});
afterAll(() => world.close());

const CHECKS = [
  "database",
  "disk",
  "limiter",
  "secret",
  "clock",
  "jobs",
  "callbacks",
  "webhooks",
  "upstream",
];

test("everything is looked at, and what runs well is well", async () => {
  await recordJobHeartbeat(world.services);
  await recordSweep(world.services);
  await recordIntakeHeartbeat(world.services);
  const { lines } = await examine(world.installation);
  expect([...new Set(lines.map(({ check }) => check))]).toEqual(CHECKS);
  const seen = lines.filter(({ check }) => check !== "disk" && check !== "limiter");
  expect(seen.filter(({ state }) => state !== "ok")).toEqual([]);
});

test.each<[string, Installation["database"], string]>([
  ["isn't there yet", { kind: "absent" }, "warn"],
  ["can't be reached", { kind: "unreachable", reason: "gone" }, "fail"],
])("where the database %s, the others say that they need it", async (_, database, state) => {
  const { lines } = await examine({ ...world.installation, database });
  expect(lines[0]).toMatchObject({ check: "database", state });
  const unasked = lines.filter(({ check }) => check !== "database" && check !== "disk");
  expect(unasked.map(({ check }) => check)).toEqual(CHECKS.slice(2));
  for (const line of unasked) {
    expect(line).toMatchObject({ state: "warn", seen: "not checked: it needs the database" });
  }
});

test("a limiter that isn't in the database is examined without it", async () => {
  const redis = await startRedis();
  const config = { ...world.installation.config, limiter: { kind: "redis", url: redis.url } as const };
  const { lines } = await examine({ ...world.installation, config, database: { kind: "absent" } });
  await redis.close();
  const line = lines.find(({ check }) => check === "limiter");
  expect(line?.seen).toMatch(/^redis grants a unit in \d+ ms$/);
});

test("the examination is as bad as its worst line", async () => {
  const bad = await examine({ ...world.installation, vault: null });
  expect(bad.state).toBe("fail");
  expect(bad.lines.find(({ check }) => check === "secret")?.state).toBe("fail");
});

test("a check that throws is a line of its own, and the others go on", async () => {
  const whatsapp = { readNumber: () => Promise.reject(new Error("with the-token in it")) };
  const { lines } = await examine({ ...world.installation, whatsapp });
  const line = lines.find(({ check }) => check === "upstream");
  expect(line).toMatchObject({ state: "fail", seen: "can't be checked: Error" });
  expect(lines.some(({ check }) => check === "callbacks")).toBe(true);
});

test("a check that never ends is a line of its own when its time is up", async () => {
  const check = { name: "patience", timeoutMs: 20, run: () => new Promise<never>(() => undefined) };
  expect(await perform(check, {})).toEqual([
    {
      check: "patience",
      what: "patience",
      state: "fail",
      seen: "no response within 0.02 s",
      remedy: expect.any(String),
    },
  ]);
});

test("a check that has ended leaves no timer: nobody waits for its time to be up", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  expect(await perform({ name: "quick", timeoutMs: 60_000, run: async () => [] }, {})).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
