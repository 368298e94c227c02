import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import { connectTestChannel } from "@/server/domain/organizations/testing";
import { sweepDueWork } from "@/server/domain/sweep";
import { setMachineClock, WRONG_CLOCKS } from "@/server/testing";
import { accepting, type Behaviour, graphError, wamidOf } from "@/server/adapters/whatsapp/testing";
import { queueState } from "./claim";
import { drainChannel } from "./drain";
import {
  claimDue,
  messageRow,
  openConversation,
  openSendWorld,
  outcomesOf,
  queueText,
  type SendWorld,
} from "../testing";

/** A first retry is due within it, and a lease expires. */
const MINUTE_MS = 60_000;

let world: SendWorld;
let channelId: string;

beforeAll(async () => void (world = await openSendWorld({ isClockMovable: true })));
// A new channel for each test: a run of a channel also does the work requested by other tests.
beforeEach(async () => void (channelId = await connectTestChannel(world.ctx)));
afterEach(async () => {
  await setMachineClock(world.sql, 0);
  world.upstream.behave(accepting);
});
afterAll(() => world.close());

const drain = () => drainChannel(world.services, channelId);
const sweep = () => sweepDueWork(world.services);
const callsFor = (id: string) => world.upstream.calls.filter((call) => call.messageId === id).length;

async function queueOne(): Promise<string> {
  const { threadId } = await openConversation(world.ctx, channelId);
  return queueText(world.ctx, threadId);
}

/** A message whose call WhatsApp has received, and responds to on demand. */
async function inFlight(answer: Behaviour) {
  const id = await queueOne();
  let end = () => undefined as void;
  world.upstream.behave((res, call) => void (end = () => answer(res, call)));
  const draining = drain();
  const isAnswered = async () => !(await outcomesOf(world, id)).includes(null);
  await until("the call has come", async () => callsFor(id) === 1);
  world.upstream.behave(accepting);
  return {
    id,
    end: async () => {
      end();
      await draining;
      await until("the outcome is stored", isAnswered);
    },
  };
}

describe.each(WRONG_CLOCKS)("a machine's clock that jumps an hour %s", (_, byMs) => {
  const jump = () => setMachineClock(world.sql, byMs);
  /** The jump, plus that much time. */
  const later = (ms: number) => setMachineClock(world.sql, byMs + ms);
  /** The maximum additional wait of work that was due before. */
  const backMs = Math.max(0, -byMs);

  test("has a message that waits for its next try sent once, no later than by the jump, and what follows it", async () => {
    const { threadId } = await openConversation(world.ctx, channelId);
    const id = await queueText(world.ctx, threadId);
    world.upstream.behave(graphError(131016, 503));
    await drain();
    world.upstream.behave(accepting);
    await jump();
    const next = await queueText(world.ctx, threadId);
    await drain();
    const dueAt = (await queueState(world.services, channelId)).nextDueAt;
    expect((dueAt?.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(backMs + MINUTE_MS);
    await later(backMs + MINUTE_MS);
    await drain();
    for (const each of [id, next])
      expect(await messageRow(world, each)).toMatchObject({ state: "sent", upstreamId: wamidOf(each) });
    expect([callsFor(id), callsFor(next)]).toEqual([2, 1]);
  });

  test("has what was accepted just before sent once, and what is accepted after it at once", async () => {
    const before = await queueOne();
    await jump();
    const after = await queueOne();
    await drain();
    expect(await messageRow(world, after)).toMatchObject({ state: "sent" });
    await later(backMs + 1_000);
    await drain();
    expect(await messageRow(world, before)).toMatchObject({ state: "sent" });
    expect([callsFor(before), callsFor(after)]).toEqual([1, 1]);
  });

  test.each([
    ["takes it", accepting, "sent", 1],
    ["asks for another try", graphError(131016, 503), "sent", 2],
  ] as const)(
    "leaves a call that is under way its answer, where that %s",
    async (__, answer, state, calls) => {
      const { id, end } = await inFlight(answer);
      await jump();
      await sweep();
      await drain();
      expect(callsFor(id)).toBe(1);
      expect(await outcomesOf(world, id)).toEqual([null]);
      await end();
      await later(backMs + MINUTE_MS);
      await sweep();
      await drain();
      expect(await messageRow(world, id)).toMatchObject({ state, isInDoubt: false });
      expect(callsFor(id)).toBe(calls);
    },
  );

  test("frees what a process that died had claimed, no later than by the jump", async () => {
    const id = await queueOne();
    const claimed = await claimDue(world.services, channelId, 100);
    expect(claimed.map((one) => one.id)).toContain(id);
    await jump();
    await later(backMs + MINUTE_MS + 1_000);
    await sweep();
    await drain();
    expect(await messageRow(world, id)).toMatchObject({ state: "sent" });
    expect(callsFor(id)).toBe(1);
  });

  test("gives up no message that is in doubt before its time", async () => {
    const { id, end } = await inFlight((res) => void res.destroy());
    await end();
    expect(await messageRow(world, id)).toMatchObject({ isInDoubt: true });
    await jump();
    await sweep();
    expect(await messageRow(world, id)).toMatchObject({ state: "queued", isInDoubt: true });
    expect(callsFor(id)).toBe(1);
  });
});
