import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createConcurrencyLimiter } from "@/server/lib/concurrency-limiter";
import { sweepDueWork } from "@/server/domain/sweep";
import {
  accepting,
  answerJson,
  graphError,
  resetting,
  silent,
  wamidOf,
} from "@/server/adapters/whatsapp/testing";
import { drainChannel } from "./drain";
import {
  claimDue,
  messageRow,
  openConversation,
  openSendWorld,
  outcomesOf,
  queueText,
  type SendWorld,
  timelineOf,
} from "../testing";
import { servicesWith } from "@/server/core/testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
afterAll(() => world.close());
afterEach(async () => {
  world.upstream.behave(accepting);
  await world.sql`update messages set state = 'failed' where state = 'queued'`;
});

const drain = (services = world.services) => drainChannel(services, world.channelId);
const callsFor = (id: string) => world.upstream.calls.filter((call) => call.messageId === id);

async function queueOne(): Promise<string> {
  const { threadId } = await openConversation(world.ctx, world.channelId);
  return queueText(world.ctx, threadId);
}

describe("a drain", () => {
  test("hands every due message over once, those of a conversation in the order in which they were accepted", async () => {
    const { threadId, handle } = await openConversation(world.ctx, world.channelId);
    const ids = [];
    for (let i = 0; i < 5; i++) ids.push(await queueText(world.ctx, threadId));
    await drain();
    const calls = world.upstream.calls.filter((call) => call.to === handle);
    expect(calls.map((call) => call.messageId)).toEqual(ids);
    expect(calls[0]).toMatchObject({ text: "Good morning", authorization: "Bearer test-access-token" });
    for (const id of ids) {
      expect(await messageRow(world, id)).toMatchObject({
        state: "sent",
        upstreamId: wamidOf(id),
        isClaimed: false,
      });
      expect(await timelineOf(world, id)).toMatchObject([{ kind: "sent", sequence: 1 }]);
    }
  });

  test("of two processes at once calls for no message twice", async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, queueOne));
    await Promise.all([drain(), drain({ ...world.services }), drain({ ...world.services })]);
    expect(ids.map((id) => callsFor(id).length)).toEqual(ids.map(() => 1));
  });

  test("holds no more calls open than half of the send slots, and fewer while calls of another channel run", async () => {
    let open = 0;
    let openMax = 0;
    world.upstream.behave((res, call) => {
      openMax = Math.max(openMax, ++open);
      setImmediate(() => {
        open -= 1;
        accepting(res, call);
      });
    });
    await Promise.all(Array.from({ length: 12 }, queueOne));
    const sends = createConcurrencyLimiter(12);
    const services = servicesWith(world.services, { concurrency: { sends } });
    await drain(services);
    expect(openMax).toBeGreaterThan(3);
    expect(openMax).toBeLessThanOrEqual(6);
    expect(sends.inFlight()).toBe(0);

    openMax = 0;
    await Promise.all(Array.from({ length: 12 }, queueOne));
    const other = sends.join("another channel");
    other.take(6);
    await drain(services);
    expect(openMax).toBeLessThanOrEqual(3);
    expect(sends.inFlight()).toBe(6);
    other.release(6);
    other.leave();
  });

  test("takes its slots as its channel's, whose earlier calls may still hold some", async () => {
    const sends = createConcurrencyLimiter(4);
    const joined: string[] = [];
    const join = (channelId: string) => {
      joined.push(channelId);
      return sends.join(channelId);
    };
    await drain(servicesWith(world.services, { concurrency: { sends: { ...sends, join } } }));
    expect(joined).toEqual([world.channelId]);
  });

  test("gives its slots back when the database fails it, however often", async () => {
    const id = await queueOne();
    const sends = createConcurrencyLimiter(4);
    const broken = () => {
      const failed = Promise.reject(new Error("the connection broke"));
      // Nobody waits for a part of a statement.
      failed.catch(() => undefined);
      return failed;
    };
    const sql = new Proxy(world.services.sql, { apply: broken });
    for (let i = 0; i < 5; i++) {
      await expect(
        drain(
          servicesWith(world.services, { concurrency: { sends }, sql, lifecycle: { isClosed: () => true } }),
        ),
      ).rejects.toThrow("broke");
      expect(sends.inFlight()).toBe(0);
    }
    await drain(servicesWith(world.services, { concurrency: { sends } }));
    await sends.idle();
    expect(callsFor(id)).toHaveLength(1);
  });

  test("claims nothing once the process is stopping", async () => {
    const id = await queueOne();
    await drain(servicesWith(world.services, { lifecycle: { isStopping: () => true } }));
    expect(await messageRow(world, id)).toMatchObject({ state: "queued", isClaimed: false });
    expect(callsFor(id)).toEqual([]);
  });

  test("asks for the wake-up of the next message that isn't due yet", async () => {
    const id = await queueOne();
    await world.sql`update messages set next_attempt_at = now() + interval '1 minute' where id = ${id}`;
    world.target.length = 0;
    await drain();
    expect(callsFor(id)).toEqual([]);
    expect(world.target).toEqual([world.channelId]);
  });

  test("fails a message whose window has closed since, without a call", async () => {
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const id = await queueText(world.ctx, threadId);
    await world.sql`update conversations set last_inbound_at = now() - interval '25 hours' where id = ${threadId}`;
    await drain();
    await expect
      .poll(() => messageRow(world, id))
      .toMatchObject({ state: "failed", errorCode: "outside_customer_window", isClaimed: false });
    expect(callsFor(id)).toEqual([]);
    expect(await outcomesOf(world, id)).toEqual([]);
  });
});

describe("what an answer does to the message", () => {
  test("a refusal for good fails it, with a stable code, and nothing calls again", async () => {
    world.upstream.behave(graphError(131026));
    const id = await queueOne();
    await drain();
    await drain();
    expect(await messageRow(world, id)).toMatchObject({ state: "failed", errorCode: "undeliverable" });
    expect(await outcomesOf(world, id)).toEqual(["rejected"]);
    expect(callsFor(id)).toHaveLength(1);
  });

  test("a passing refusal leaves it queued for a later try", async () => {
    world.upstream.behave(graphError(130429));
    const id = await queueOne();
    await drain();
    const row = await messageRow(world, id);
    expect(row).toMatchObject({ state: "queued", attempts: 1, isClaimed: false, isInDoubt: false });
    expect(row.waitMs).toBeGreaterThan(0);
    expect(await outcomesOf(world, id)).toEqual(["retry"]);

    world.upstream.behave(accepting);
    await world.sql`update messages set next_attempt_at = now() where id = ${id}`;
    await drain();
    expect(await messageRow(world, id)).toMatchObject({ state: "sent", attempts: 1 });
    expect(await outcomesOf(world, id)).toEqual(["retry", "accepted"]);
  });

  test.each([
    ["a connection that is reset", resetting],
    ["no answer within the time limit", silent],
    ["a 200 without an id", (res: Parameters<typeof answerJson>[0]) => answerJson(res, 200, {})],
  ])("%s leaves it queued, in doubt, and it is never called for again", async (_, behaviour) => {
    world.upstream.behave(behaviour);
    const id = await queueOne();
    await drain(world.hasty);
    expect(await messageRow(world, id)).toMatchObject({ state: "queued", isInDoubt: true, isClaimed: false });
    expect(await outcomesOf(world, id)).toEqual(["uncertain"]);

    world.upstream.behave(accepting);
    await sweepDueWork(world.services);
    await drain();
    expect(callsFor(id)).toHaveLength(1);
  });

  test("an upstream that gives two messages one id costs neither its state", async () => {
    world.upstream.behave((res) => answerJson(res, 200, { messages: [{ id: "wamid.same" }] }));
    const ids = await Promise.all([queueOne(), queueOne(), queueOne()]);
    await drain();
    const rows = await Promise.all(ids.map((id) => messageRow(world, id)));
    expect(rows.map((row) => row.state)).toEqual(["sent", "sent", "sent"]);
    expect(rows.filter((row) => row.upstreamId === "wamid.same")).toHaveLength(1);
  });
});

describe("after a crash", () => {
  test("between claim and attempt, the message is handed over once the claim has run out", async () => {
    const id = await queueOne();
    await claimDue(world.services, world.channelId, 1);
    await sweepDueWork(world.services);
    await drain();
    expect(callsFor(id)).toEqual([]);
    await world.sql`update messages set claimed_until = now() - interval '1 second' where id = ${id}`;
    await sweepDueWork(world.services);
    await drain();
    expect(callsFor(id)).toHaveLength(1);
    expect(await messageRow(world, id)).toMatchObject({ state: "sent" });
  });
});
