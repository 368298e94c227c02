import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limitMs } from "@/e2e/support/machine-speed";
import type { CallOutcome } from "@/server/adapters/whatsapp/answer";
import { recordOutcomes } from "./record-outcomes";
import {
  messageRow,
  openConversation,
  openSendWorld,
  outcomesOf,
  queueText,
  type SendWorld,
  startCall,
  timelineOf,
} from "../testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld()));
afterAll(() => world.close());

const detail = { httpStatus: 200, upstreamCode: null, reason: "test" };
const accepted = (upstreamId: string): CallOutcome => ({ kind: "accepted", upstreamId, detail });
const rejected: CallOutcome = { kind: "rejected", code: "undeliverable", detail };
const retry: CallOutcome = { kind: "retry", detail };
const uncertain: CallOutcome = { kind: "uncertain", detail };

/** A message whose call is running. */
async function calling() {
  const { threadId } = await openConversation(world.ctx, world.channelId);
  const messageId = await queueText(world.ctx, threadId);
  return { messageId, threadId, ...(await callAgain(messageId)) };
}

async function callAgain(messageId: string) {
  const { attemptId } = await startCall(world, messageId);
  const record = (...outcomes: CallOutcome[]) =>
    recordOutcomes(
      world.services,
      outcomes.map((outcome) => ({ attemptId, messageId, outcome })),
    );
  return { attemptId, record };
}

describe("an accepted answer", () => {
  test("is a transition to sent, once, however often it is stored", async () => {
    const { messageId, record } = await calling();
    await record(accepted("wamid.once"));
    await record(accepted("wamid.once"));
    expect(await messageRow(world, messageId)).toMatchObject({
      state: "sent",
      eventSequence: 1,
      upstreamId: "wamid.once",
      isClaimed: false,
    });
    expect(await timelineOf(world, messageId)).toMatchObject([{ kind: "sent", sequence: 1 }]);
  });

  test("that comes late settles the doubt", async () => {
    const { messageId, record } = await calling();
    await record(uncertain);
    await record(accepted("wamid.late"));
    expect(await messageRow(world, messageId)).toMatchObject({ state: "sent", isInDoubt: false });
    expect(await outcomesOf(world, messageId)).toEqual(["accepted"]);
  });

  test("that comes after the message was given up replaces the presumption", async () => {
    const { messageId, record } = await calling();
    await record(uncertain);
    await world.sql`
      update messages set state = 'failed', error_code = 'upstream_unconfirmed', failed_at = now(), event_sequence = 1
      where id = ${messageId}`;
    await record(accepted("wamid.afterwards"));
    expect(await messageRow(world, messageId)).toMatchObject({
      state: "sent",
      errorCode: null,
      eventSequence: 2,
    });
  });

  test("moves nothing back that a status has moved on already", async () => {
    const { messageId, record } = await calling();
    await world.sql`update messages set state = 'delivered', event_sequence = 2 where id = ${messageId}`;
    await record(accepted("wamid.overtaken"));
    expect(await messageRow(world, messageId)).toMatchObject({
      state: "delivered",
      eventSequence: 2,
      upstreamId: "wamid.overtaken",
    });
  });
});

describe("a late answer to an attempt in doubt", () => {
  test("may reject it", async () => {
    const { messageId, record } = await calling();
    await record(uncertain);
    await record(rejected);
    expect(await messageRow(world, messageId)).toMatchObject({ state: "failed", errorCode: "undeliverable" });
    expect(await outcomesOf(world, messageId)).toEqual(["rejected"]);
  });

  test("never makes it a retry: what may have been sent isn't sent again", async () => {
    const { messageId, record } = await calling();
    await record(uncertain);
    await record(retry);
    expect(await messageRow(world, messageId)).toMatchObject({
      state: "queued",
      isInDoubt: true,
      attempts: 0,
    });
    expect(await outcomesOf(world, messageId)).toEqual(["uncertain"]);
  });
});

describe("a retry", () => {
  test("waits longer each time: 1, 2, 4 … at most 300 seconds, give or take a fifth", async () => {
    const { messageId, ...first } = await calling();
    let { record } = first;
    for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
      const startedMs = performance.now();
      await record(retry);
      const { waitMs } = await messageRow(world, messageId);
      const passedMs = performance.now() - startedMs;
      expect(waitMs).toBeGreaterThan(seconds * 800 - passedMs - 1);
      expect(waitMs).toBeLessThan(seconds * 1200 + 1);
      ({ record } = await callAgain(messageId));
    }
  });

  test("holds the message's successors for a minute after the first one, and never again", async () => {
    const { messageId, record } = await calling();
    await record(retry);
    const { holdMs } = await messageRow(world, messageId);
    expect(holdMs).toBeGreaterThan(60_000 - limitMs(3_000));
    expect(holdMs).toBeLessThanOrEqual(60_000);
    await world.sql`update messages set hold_until = now() - interval '1 hour' where id = ${messageId}`;
    await (await callAgain(messageId)).record(retry);
    expect((await messageRow(world, messageId)).holdMs).toBeLessThan(-3_500_000);
  });

  test("changes nothing where a status has shown meanwhile that it was sent", async () => {
    const { messageId, record } = await calling();
    await world.sql`update messages set state = 'sent', next_attempt_at = null where id = ${messageId}`;
    await record(retry);
    expect(await messageRow(world, messageId)).toMatchObject({ state: "sent", attempts: 0, waitMs: null });
  });
});

describe("outcomes of one batch", () => {
  test("of one message are merged one after the other", async () => {
    const { messageId, attemptId, record } = await calling();
    await record(uncertain);
    await recordOutcomes(world.services, [
      { attemptId, messageId, outcome: accepted("wamid.batch") },
      { attemptId, messageId, outcome: rejected },
    ]);
    const { eventSequence } = await messageRow(world, messageId);
    expect(eventSequence).toBe(2);
    expect((await timelineOf(world, messageId)).map((event) => event.sequence)).toEqual([1, 2, null]);
  });

  test("of many messages are stored together, and one of an unknown message is left out", async () => {
    const calls = [await calling(), await calling(), await calling()];
    await recordOutcomes(world.services, [
      ...calls.map(({ attemptId, messageId }) => ({
        attemptId,
        messageId,
        outcome: accepted(`wamid.${messageId}`),
      })),
      {
        attemptId: "01900000-0000-7000-8000-000000000000",
        messageId: "01900000-0000-7000-8000-000000000000",
        outcome: rejected,
      },
    ]);
    for (const { messageId } of calls) {
      expect(await messageRow(world, messageId)).toMatchObject({
        state: "sent",
        upstreamId: `wamid.${messageId}`,
      });
    }
  });
});
