import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { accepting, type Behaviour, graphError, silent, wamidOf } from "@/server/adapters/whatsapp/testing";
import { findPending } from "../read/pending";
import { queueAge } from "../read/queue-age";
import { sendMessage } from "../send/send";
import { messageRow, openConversation, openSendWorld, queueText, type SendWorld, textTo } from "../testing";
import { drainChannel } from "./drain";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
beforeEach(() => world.upstream.behave(accepting));
afterEach(async () => void (await world.sql`update messages set state = 'failed' where state = 'queued'`));
afterAll(() => world.close());

const drain = (services = world.services) => drainChannel(services, world.channelId);
const open = () => openConversation(world.ctx, world.channelId);

async function react(threadId: string, messageId: string, emoji = "👍"): Promise<string> {
  const input = {
    client_message_id: randomUUID(),
    type: "reaction" as const,
    thread_id: threadId,
    reaction: { message_id: messageId, emoji },
  };
  return (await sendMessage({ ctx: world.ctx, input })).message_id;
}

async function quote(threadId: string, messageId: string): Promise<string> {
  const input = { ...textTo(threadId), reply_to: { message_id: messageId } };
  return (await sendMessage({ ctx: world.ctx, input })).message_id;
}

/** Returns our ids of the calls since the last look, in order. */
function newCalls() {
  const from = world.upstream.calls.length;
  return () => world.upstream.calls.slice(from).map(({ messageId }) => messageId);
}

const bodyOf = (id: string) => world.upstream.calls.find(({ messageId }) => messageId === id)?.body;
const failing =
  (failed: string, behaviour: Behaviour): Behaviour =>
  (res, call) =>
    (call.messageId === failed ? behaviour : accepting)(res, call);

async function inboundOf(threadId: string) {
  const [row] = await world.sql<{ id: string; upstreamId: string }[]>`
    select id, upstream_id as "upstreamId" from messages where conversation_id = ${threadId} and kind = 'inbound'`;
  if (!row) throw new Error("The customer hasn't written");
  return row;
}

describe("a quote", () => {
  test("of a customer's message names it by WhatsApp's id", async () => {
    const { threadId } = await open();
    const written = await inboundOf(threadId);
    const id = await quote(threadId, written.id);
    await drain();
    expect(bodyOf(id)).toMatchObject({ type: "text", context: { message_id: written.upstreamId } });
  });

  test("of a message that still waits is sent after it, with the id that WhatsApp gave it", async () => {
    const { threadId } = await open();
    const calls = newCalls();
    const first = await queueText(world.ctx, threadId);
    const second = await quote(threadId, first);
    await drain();
    expect(calls()).toEqual([first, second]);
    expect(bodyOf(first)).not.toHaveProperty("context");
    expect(bodyOf(second)).toMatchObject({ context: { message_id: wamidOf(first) } });
  });

  test("of a message that failed meanwhile is sent without it", async () => {
    const { threadId } = await open();
    const first = await queueText(world.ctx, threadId);
    const second = await quote(threadId, first);
    world.upstream.behave(failing(first, graphError(131026)));
    await drain();
    expect((await messageRow(world, first)).state).toBe("failed");
    expect((await messageRow(world, second)).state).toBe("sent");
    expect(bodyOf(second)).not.toHaveProperty("context");
  });

  test("of a message that WhatsApp accepted and then failed is sent without it", async () => {
    const { threadId } = await open();
    const first = await queueText(world.ctx, threadId);
    await drain();
    const second = await quote(threadId, first);
    await world.sql`update messages set state = 'failed' where id = ${first} and upstream_id is not null`;
    await drain();
    expect((await messageRow(world, first)).state).toBe("failed");
    expect((await messageRow(world, second)).state).toBe("sent");
    expect(bodyOf(second)).not.toHaveProperty("context");
  });

  test("of a message whose outcome is unknown is sent without it", async () => {
    const { threadId } = await open();
    const first = await queueText(world.ctx, threadId);
    const second = await quote(threadId, first);
    world.upstream.behave(failing(first, silent));
    await drain(world.hasty);
    await drain();
    expect((await messageRow(world, first)).isInDoubt).toBe(true);
    expect(bodyOf(second)).not.toHaveProperty("context");
  });
});

describe("a reaction", () => {
  test("goes out as WhatsApp wants it, and so does taking it back", async () => {
    const { threadId } = await open();
    const written = await inboundOf(threadId);
    const [given, taken] = [await react(threadId, written.id), await react(threadId, written.id, "")];
    const calls = newCalls();
    await drain();
    expect(calls()).toEqual([given, taken]);
    const message_id = written.upstreamId;
    expect(bodyOf(given)).toMatchObject({ type: "reaction", reaction: { message_id, emoji: "👍" } });
    expect(bodyOf(taken)).toMatchObject({ type: "reaction", reaction: { message_id, emoji: "" } });
  });

  test("passes the queue of its conversation, and of the channel", async () => {
    const others = await Promise.all(Array.from({ length: 40 }, async () => (await open()).threadId));
    const { threadId } = await open();
    for (const other of others) await queueText(world.ctx, other);
    const queue: string[] = [];
    for (const _ of [1, 2, 3]) queue.push(await queueText(world.ctx, threadId));
    const calls = newCalls();
    const reaction = await react(threadId, (await inboundOf(threadId)).id);
    // As many calls as are made at once are under way, and nothing ends before the reaction has come.
    const held: (() => void)[] = [];
    world.upstream.behave((res, call) => {
      held.push(() => accepting(res, call));
      if (calls().includes(reaction)) for (const answer of held.splice(0)) answer();
    });
    await drain();
    expect(calls().filter((id) => queue.includes(id))).toEqual(queue);
    expect(calls()).toHaveLength(44);
  });

  test("passes a message that is to be tried again, and doesn't hold those behind", async () => {
    const { threadId } = await open();
    const written = await inboundOf(threadId);
    const text = await queueText(world.ctx, threadId);
    world.upstream.behave(failing(text, graphError(131000, 500)));
    await drain();
    expect((await messageRow(world, text)).state).toBe("queued");
    const reaction = await react(threadId, written.id);
    world.upstream.behave(failing(reaction, graphError(131000, 500)));
    await drain();
    expect((await messageRow(world, reaction)).attempts).toBe(1);
    await world.sql`update messages set next_attempt_at = now() where id = ${text}`;
    world.upstream.behave(accepting);
    await drain();
    expect((await messageRow(world, text)).state).toBe("sent");
    expect((await messageRow(world, reaction)).state).toBe("queued");
  });

  test("never overtakes the message that it belongs to, even while that one's outcome is unknown", async () => {
    const { threadId } = await open();
    const text = await queueText(world.ctx, threadId);
    const reaction = await react(threadId, text);
    expect(await findPending(world.ctx, reaction)).toMatchObject({ reason: "earlier_message", behind: text });
    const calls = newCalls();
    world.upstream.behave(failing(text, silent));
    await drain(world.hasty);
    await drain();
    expect(calls()).toEqual([text]);
    expect(await queueAge(world.sql)).toMatchObject({ oldestDueSeconds: null });
    await world.sql`
      update messages set in_doubt_since = null, state = 'sent', upstream_id = 'wamid.late', claim_token = null
      where id = ${text}`;
    await drain();
    expect(bodyOf(reaction)).toMatchObject({ reaction: { message_id: "wamid.late" } });
  });

  test("doesn't overtake an earlier reaction to the same message, but one to another", async () => {
    const { threadId } = await open();
    const written = await inboundOf(threadId);
    const first = await react(threadId, written.id);
    world.upstream.behave(failing(first, graphError(131000, 500)));
    await drain();
    const text = await queueText(world.ctx, threadId);
    const [second, other] = [await react(threadId, written.id, ""), await react(threadId, text)];
    const calls = newCalls();
    world.upstream.behave(accepting);
    await drain();
    expect(calls()).toEqual([text, other]);
    await world.sql`update messages set next_attempt_at = now() where id = ${first}`;
    await drain();
    expect(calls()).toEqual([text, other, first, second]);
  });

  test("fails with the message that it belongs to, and isn't sent", async () => {
    const { threadId } = await open();
    const text = await queueText(world.ctx, threadId);
    const reaction = await react(threadId, text);
    world.upstream.behave(failing(text, graphError(131026)));
    await drain();
    await drain();
    await vi.waitFor(async () =>
      expect(await messageRow(world, reaction)).toMatchObject({
        state: "failed",
        errorCode: "reacted_message_failed",
      }),
    );
    expect(bodyOf(reaction)).toBeUndefined();
  });

  test("is as old for the measure of the queue as it is", async () => {
    const { threadId } = await open();
    await react(threadId, (await inboundOf(threadId)).id);
    const { oldestDueSeconds } = await queueAge(world.sql);
    expect(oldestDueSeconds).toBeLessThan(3600);
    await drain();
  });

  test("waits for the end of the customer's limit like any message", async () => {
    const { threadId } = await open();
    const id = await react(threadId, (await inboundOf(threadId)).id);
    await world.sql`update conversations set blocked_until = now() + interval '1 hour' where id = ${threadId}`;
    await drain();
    expect((await messageRow(world, id)).state).toBe("queued");
  });
});
