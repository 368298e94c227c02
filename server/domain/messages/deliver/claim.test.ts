import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { limitMs } from "@/e2e/support/machine-speed";
import { queueState, dueChannels, newClaimToken, releaseClaim } from "./claim";
import { openAttempts } from "./open-attempts";
import {
  claimDue,
  messageRow,
  openConversation,
  openSendWorld,
  outcomesOf,
  queueCopies,
  queueText,
  type SendWorld,
} from "../testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
afterAll(() => world.close());
afterEach(async () => void (await world.sql`update messages set state = 'failed' where state = 'queued'`));

async function claim(max = 100): Promise<string[]> {
  const claimed = await claimDue(world.services, world.channelId, max);
  return claimed.map((message) => message.id);
}

const change = (id: string, columns: string) =>
  world.sql`update messages set ${world.sql.unsafe(columns)} where id = ${id}`;

/** A conversation with that many queued messages, oldest first. */
async function queueOf(count: number) {
  const { threadId } = await openConversation(world.ctx, world.channelId);
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await queueText(world.ctx, threadId));
  const [first = "", second = "", third = ""] = ids;
  return { threadId, first, second, third };
}

describe("a claim", () => {
  test("takes the head of each conversation only, and each message once", async () => {
    const one = await queueOf(3);
    const other = await queueOf(2);
    expect((await claim()).sort()).toEqual([one.first, other.first].sort());
    expect(await claim()).toEqual([]);
  });

  test("takes a successor only once its predecessor is queued no more", async () => {
    const { first, second } = await queueOf(2);
    await claim();
    await change(first, "state = 'sent', claim_token = null");
    expect(await claim()).toEqual([second]);
  });

  test("is not held up by a message in doubt, and never takes that one", async () => {
    const { first, second } = await queueOf(2);
    await change(first, "in_doubt_since = now()");
    expect(await claim()).toEqual([second]);
  });

  test("is held up by a retried message until its hold ends, and then for good no more", async () => {
    const { first, second } = await queueOf(2);
    await change(
      first,
      "next_attempt_at = now() + interval '5 minutes', hold_until = now() + interval '1 minute'",
    );
    expect(await claim()).toEqual([]);
    await change(first, "hold_until = now() - interval '1 second'");
    expect(await claim()).toEqual([second]);
  });

  test.each([
    {
      state: "being called for",
      columns: "claim_token = gen_random_uuid(), claimed_until = now() + interval '1 minute'",
    },
    { state: "to be tried again", columns: "next_attempt_at = now() + interval '1 minute'" },
  ])(
    "takes a message whose hold has ended while a later one is $state, and nothing behind that",
    async ({ columns }) => {
      const { first, second } = await queueOf(3);
      await change(first, "hold_until = now() - interval '1 second'");
      await change(second, columns);
      expect(await claim()).toEqual([first]);
    },
  );

  test("takes the head where more are to be tried again than are known at once", async () => {
    const { first, second } = await queueOf(2);
    await queueCopies(world, second, 250);
    const { first: held, second: behind } = await queueOf(2);
    await change(held, "next_attempt_at = now() + interval '1 hour'");
    await world.sql`update messages set next_attempt_at = now() + interval '1 minute' where conversation_id =
      (select conversation_id from messages where id = ${first}) and state = 'queued'`;
    expect(await claim()).toEqual([]);
    await change(held, "next_attempt_at = now()");
    expect(await claim()).toEqual([held]);
    expect(await claim()).not.toContain(behind);
  });

  test("takes nothing of a blocked conversation before the block ends", async () => {
    const { threadId, first } = await queueOf(1);
    await world.sql`update conversations set blocked_until = now() + interval '4 seconds' where id = ${threadId}`;
    expect(await claim()).toEqual([]);
    await world.sql`update conversations set blocked_until = now() - interval '1 second' where id = ${threadId}`;
    expect(await claim()).toEqual([first]);
  });

  test.each(["paused_at = now(), pause_reason = 'test'", "disabled_at = now()"])(
    "takes nothing of a channel with %s, and nobody is woken for it",
    async (state) => {
      await queueOf(1);
      await world.sql`update channels set ${world.sql.unsafe(state)} where id = ${world.channelId}`;
      expect(await claim()).toEqual([]);
      expect(await dueChannels(world.services)).toEqual([]);
      await world.sql`update channels set paused_at = null, pause_reason = null, disabled_at = null`;
      expect(await dueChannels(world.services)).toEqual([world.channelId]);
      expect(await claim()).toHaveLength(1);
    },
  );

  test("takes at most what was asked for, the longest due first", async () => {
    const later = await queueOf(1);
    const earlier = await queueOf(1);
    await change(earlier.first, "next_attempt_at = now() - interval '1 minute'");
    expect(await claim(1)).toEqual([earlier.first]);
    expect(await claim(1)).toEqual([later.first]);
  });

  test("of many processes at once gives each message to one of them", async () => {
    await Promise.all(Array.from({ length: 40 }, () => queueOf(1)));
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(40)));
    const ids = claims.flat();
    expect(ids.length).toBe(40);
    expect(new Set(ids).size).toBe(40);
  });

  test("passes over what another claim holds locked, and doesn't wait for it", async () => {
    const { first } = await queueOf(1);
    const free = await queueOf(1);
    await world.sql.begin(async (other) => {
      await other`select from messages where id = ${first} for update`;
      const waited = delay(limitMs(10_000), "waited", { ref: false });
      expect(await Promise.race([claim(), waited])).toEqual([free.first]);
    });
    expect(await claim()).toEqual([first]);
  });

  test("that is released is free again, but not where a call may be under way", async () => {
    await queueOf(1);
    const token = newClaimToken();
    const claimed = await claimDue(world.services, world.channelId, 10, token);
    await releaseClaim(world.services, { token });
    expect(await claimDue(world.services, world.channelId, 10, token)).toEqual(claimed);
    await openAttempts(world.services, claimed);
    await releaseClaim(world.services, { token });
    expect(await claim()).toEqual([]);
  });
});

describe("the permission to call", () => {
  async function claimed(count = 1) {
    const queue = await queueOf(count);
    const messages = await claimDue(world.services, world.channelId, 10);
    return { ...queue, messages };
  }

  test("is an attempt row that stands before the call, with a deadline after the call's time limit", async () => {
    const { first, threadId, messages } = await claimed();
    const { opened } = await openAttempts(world.services, messages);
    expect(opened).toMatchObject([{ messageId: first, channel: { id: world.channelId } }]);
    expect(await outcomesOf(world, first)).toEqual([null]);
    const [row] = await world.sql<{ seconds: number }[]>`
      select extract(epoch from deadline - started_at)::float8 as seconds from message_attempts
      where message_id = ${first}`;
    expect(row?.seconds).toBe(50);
    expect(threadId).not.toBe("");
  });

  test("is given once, however often and by however many it is asked for", async () => {
    const { messages } = await claimed();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => openAttempts(world.services, messages)),
    );
    expect(answers.flatMap((answer) => answer.opened)).toHaveLength(1);
  });

  test.each(["accepted", "uncertain"])("is not given again after an attempt that was %s", async (outcome) => {
    const { first, messages } = await claimed();
    await openAttempts(world.services, messages);
    await world.sql`update message_attempts set outcome = ${outcome} where message_id = ${first}`;
    expect((await openAttempts(world.services, messages)).opened).toEqual([]);
  });

  test("is given again after an attempt that certainly sent nothing", async () => {
    const { first, messages } = await claimed();
    await openAttempts(world.services, messages);
    await world.sql`update message_attempts set outcome = 'retry' where message_id = ${first}`;
    expect((await openAttempts(world.services, messages)).opened).toHaveLength(1);
  });

  test.each([
    ["whose claim went to another", "update messages set claim_token = gen_random_uuid() where id ="],
    ["that is queued no more", "update messages set state = 'failed' where id ="],
  ])("is not given for a message %s", async (_, statement) => {
    const { first, messages } = await claimed();
    await world.sql.unsafe(`${statement} $1`, [first]);
    expect(await openAttempts(world.services, messages)).toEqual({
      opened: [],
      failing: [],
      waitingForMedia: [],
    });
  });

  test("is not given on a channel that was paused since the claim", async () => {
    const { messages } = await claimed();
    await world.sql`update channels set paused_at = now(), pause_reason = 'test' where id = ${world.channelId}`;
    expect((await openAttempts(world.services, messages)).opened).toEqual([]);
    await world.sql`update channels set paused_at = null, pause_reason = null where id = ${world.channelId}`;
  });

  test("is not given once the customer window has closed; the message is named instead", async () => {
    const { first, threadId, messages } = await claimed();
    await world.sql`update conversations set last_inbound_at = now() - interval '24 hours 1 second' where id = ${threadId}`;
    const { opened, failing } = await openAttempts(world.services, messages);
    expect(opened).toEqual([]);
    expect(failing.map(({ message, code }) => [message.id, code])).toEqual([
      [first, "outside_customer_window"],
    ]);
    expect(await outcomesOf(world, first)).toEqual([]);
  });
});

describe("what is due", () => {
  test("the next message is told by its time, and one that is due or in doubt doesn't count", async () => {
    const { first } = await queueOf(1);
    expect((await queueState(world.services, world.channelId)).nextDueAt).toBeNull();
    await change(first, "next_attempt_at = now() + interval '1 minute'");
    const at = (await queueState(world.services, world.channelId)).nextDueAt;
    const { waitMs } = await messageRow(world, first);
    expect(Math.abs((at?.getTime() ?? 0) - Date.now() - (waitMs ?? 0))).toBeLessThan(limitMs(5_000));
    expect(await dueChannels(world.services)).toEqual([]);
    await change(first, "in_doubt_since = now()");
    expect((await queueState(world.services, world.channelId)).nextDueAt).toBeNull();
  });
});
