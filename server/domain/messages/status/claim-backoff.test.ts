import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { Services } from "@/server/core/context";
import { drainChannel } from "../deliver/drain";
import { isBackedOff, recordClaim } from "./claim-backoff";
import { sweepDueWork } from "@/server/domain/sweep";
import { notifyDueChannelsOften } from "../sweep";
import { messageRow, openConversation, openSendWorld, queueText, type SendWorld } from "../testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
afterAll(() => world.close());
beforeEach(() => world.target.splice(0));

/** A clock that only this test moves. */
function stopClock(): { passMs(ms: number): void } {
  let nowMs = performance.now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  onTestFinished(() => clock.mockRestore());
  return { passMs: (ms) => void (nowMs += ms) };
}

/** A due message that waits behind one whose next attempt is in the future. */
async function queueBehindHeld(): Promise<string> {
  const { threadId } = await openConversation(world.ctx, world.channelId);
  const head = await queueText(world.ctx, threadId);
  await world.sql`
    update messages set next_attempt_at = now() + interval '1 minute', hold_until = now() + interval '1 minute'
    where id = ${head}`;
  return queueText(world.ctx, threadId);
}

/** The same services, with claims that take that long. */
function claimingIn(ms: number, clock: ReturnType<typeof stopClock>): Services {
  const sql = new Proxy(world.services.sql, {
    apply(target, self, args: unknown[]) {
      if (String(args[0]).includes("skip locked")) clock.passMs(ms);
      return Reflect.apply(target, self, args);
    },
  });
  return { ...world.services, sql };
}

test("a channel that was looked through at length and in vain rests ten times as long, two seconds at most", () => {
  const clock = stopClock();
  const services = { ...world.services };
  recordClaim(services, "channel", { tookMs: 100, isEmpty: true });
  clock.passMs(999);
  expect(isBackedOff(services, "channel")).toBe(true);
  clock.passMs(1);
  expect(isBackedOff(services, "channel")).toBe(false);
  recordClaim(services, "channel", { tookMs: 1_000, isEmpty: true });
  clock.passMs(2_000);
  expect(isBackedOff(services, "channel")).toBe(false);
});

test.each([
  { what: "a short look in vain", claim: { tookMs: 24, isEmpty: true } },
  { what: "a long look that found something", claim: { tookMs: 500, isEmpty: false } },
])("no channel rests after $what, whatever was before", ({ claim }) => {
  const services = { ...world.services };
  recordClaim(services, "channel", { tookMs: 100, isEmpty: true });
  recordClaim(services, "channel", claim);
  expect(isBackedOff(services, "channel")).toBe(false);
});

test("what waits behind a held message isn't looked through again and again, and is found by the sweep and after the rest", async () => {
  const clock = stopClock();
  const services = claimingIn(150, clock);
  await queueBehindHeld();
  await drainChannel(services, world.channelId);
  world.target.splice(0);
  await notifyDueChannelsOften(services);
  expect(world.target).toEqual([]);
  await sweepDueWork(services);
  expect(world.target).toEqual([world.channelId]);
  clock.passMs(1_500);
  await notifyDueChannelsOften(services);
  expect(world.target).toEqual([world.channelId, world.channelId]);
});

test("a wake-up is followed while the channel rests", async () => {
  const services = claimingIn(150, stopClock());
  await queueBehindHeld();
  await drainChannel(services, world.channelId);
  const { threadId } = await openConversation(world.ctx, world.channelId);
  const id = await queueText(world.ctx, threadId);
  await drainChannel(services, world.channelId);
  await expect.poll(async () => (await messageRow(world, id)).state).toBe("sent");
});
