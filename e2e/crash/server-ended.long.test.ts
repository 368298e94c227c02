import { describe, expect, test } from "vitest";
import { limitMs } from "@/e2e/support/machine-speed";
import { until } from "@/e2e/support/until";
import { callsLeftAt, doubtedCalls, fateOf, openCalls } from "./fate";
import { type CrashWorld, openCrashWorld } from "./world";

/** Half of the 64 of a process: the maximum for one channel. */
const CHANNEL_SLOTS = 32;
const MESSAGES = 300;
/**
 * Long enough for a call to be written, and for a response from before the freeze to be stored; shorter than a call's
 * 20 s.
 */
const WAITED_SECONDS = 2;
const STOP_MS_MAX = limitMs(30_000);

/** Opens the test's own world, with messages being sent. */
async function openSending(onTestFinished: (close: () => Promise<void>) => void) {
  const world = await openCrashWorld({ ownSimulator: true });
  onTestFinished(() => world.close());
  return { world, sending: await world.send(MESSAGES) };
}

/** Freezes the upstream; resolves when every slot of the channel waits for it. */
async function freezeInMidCall(world: CrashWorld): Promise<void> {
  world.simulator?.freeze();
  const isWaiting = async () => (await openCalls(world.sql, WAITED_SECONDS)) === CHANNEL_SLOTS;
  await until("every slot of the channel waits for the upstream's answer", isWaiting);
}

/** Then kills the server; returns how many calls that puts in doubt. */
async function killInMidCall(world: CrashWorld): Promise<number> {
  await freezeInMidCall(world);
  await world.server().kill9();
  return openCalls(world.sql);
}

// Concurrently, because most of their time is waiting for the deadlines of the killed server's calls.
describe.concurrent("a server that ends while it sends", () => {
  test("killed, hands each accepted message upstream once, or leaves it uncertain, where the upstream lives on", async ({
    onTestFinished,
  }) => {
    const { world, sending } = await openSending(onTestFinished);
    const inDoubt = await killInMidCall(world);
    world.simulator?.resume();
    await world.restart();
    const fate = await world.fateOf(sending);

    console.log("server killed:", { inDoubt, answers: sending.answers, ...fate });
    expect(sending.wrong).toEqual([]);
    expect(inDoubt).toBe(CHANNEL_SLOTS);
    expect(fate).toMatchObject({ accepted: MESSAGES, once: MESSAGES - fate.uncertain, twice: [], lost: [] });
    // Callbacks settle the calls that had been written when the server was killed; their number varies.
    expect(fate.uncertain).toBeLessThan(inDoubt);
  });

  test("killed, never repeats a call that may have been lost, where the upstream is killed with it", async ({
    onTestFinished,
  }) => {
    const { world, sending } = await openSending(onTestFinished);
    const inDoubt = await killInMidCall(world);
    await world.simulator?.restart();
    await world.restart();
    const fate = await world.fateOf(sending);
    const doubted = await doubtedCalls(world.sql);

    console.log("server and upstream killed:", { inDoubt, doubted, answers: sending.answers, ...fate });
    expect(sending.wrong).toEqual([]);
    expect(inDoubt).toBe(CHANNEL_SLOTS);
    expect(doubted).toBeLessThanOrEqual(inDoubt);
    expect(fate.uncertain).toBeGreaterThan(0);
    expect(fate.uncertain).toBeLessThanOrEqual(doubted);
    expect(fate).toMatchObject({ accepted: MESSAGES, once: MESSAGES - fate.uncertain, twice: [], lost: [] });
    // Also when the same customers are written to again.
    await world.fateOf(await world.send(MESSAGES));
    expect(await fateOf(world.sql, world.server().simulatorUrl, sending.accepted)).toEqual(fate);
  });

  test("told to stop while the upstream is silent, ends in time, and stores what its calls came to", async ({
    onTestFinished,
  }) => {
    const { world, sending } = await openSending(onTestFinished);
    await freezeInMidCall(world);
    const signalledAtMs = performance.now();
    const ending = await world.server().stop("SIGTERM");
    const stoppedAfterMs = Math.round(performance.now() - signalledAtMs);
    const stoppedAt = new Date();
    world.simulator?.resume();
    await world.restart();
    const callsLeft = await callsLeftAt(world.sql, stoppedAt);
    const fate = await world.fateOf(sending);

    console.log("server stopped, upstream silent:", { stoppedAfterMs, answers: sending.answers, ...fate });
    expect(ending).toEqual({ code: 0, signal: null });
    expect(stoppedAfterMs).toBeLessThan(STOP_MS_MAX);
    expect(callsLeft).toBe(0);
    expect(sending.wrong).toEqual([]);
    expect(fate).toMatchObject({ accepted: MESSAGES, once: MESSAGES - fate.uncertain, twice: [], lost: [] });
    expect(fate.uncertain).toBeLessThanOrEqual(CHANNEL_SLOTS);
  });
});
