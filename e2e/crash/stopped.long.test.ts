import { afterAll, beforeAll, expect, test } from "vitest";
import { limitMs } from "@/e2e/support/machine-speed";
import { callsLeftAt, doubtedCalls, openCalls } from "./fate";
import { type CrashWorld, openCrashWorld } from "./world";

/** More than can be accepted while the server stops. */
const MESSAGES = 2_000;
const STOP_MS_MAX = limitMs(30_000);

let world: CrashWorld;

beforeAll(async () => {
  world = await openCrashWorld({ ownSimulator: false });
});

afterAll(() => world.close());

test.each(["SIGINT", "SIGTERM"] as const)(
  "a server that gets %s while it sends exits with 0 within 30 s, leaves nothing in doubt, and goes on at the next start",
  async (signal) => {
    const sending = await world.send(MESSAGES);
    const startedAtMs = performance.now();
    const ending = await world.server().stop(signal);
    const stoppedAfterMs = Math.round(performance.now() - startedAtMs);
    const acceptedBefore = sending.accepted.size;
    const stoppedAt = new Date();
    await world.restart();
    const callsLeft = await callsLeftAt(world.sql, stoppedAt);
    const fate = await world.fateOf(sending);

    console.log(`${signal}:`, { stoppedAfterMs, acceptedBefore, answers: sending.answers, ...fate });
    expect(ending).toEqual({ code: 0, signal: null });
    expect(stoppedAfterMs).toBeLessThan(STOP_MS_MAX);
    expect(acceptedBefore).toBeLessThan(MESSAGES);
    expect(callsLeft).toBe(0);
    expect(await doubtedCalls(world.sql)).toBe(0);
    expect(await openCalls(world.sql)).toBe(0);
    expect(sending.wrong).toEqual([]);
    expect(fate).toEqual({
      accepted: MESSAGES,
      once: MESSAGES,
      failed: {},
      uncertain: 0,
      twice: [],
      lost: [],
    });
  },
);
