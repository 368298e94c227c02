import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { revokeKey } from "@/server/domain/keys/revoke";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { sendMessage } from "./send";
import {
  asKey,
  codeOf,
  newHandle,
  openConversation,
  openSendWorld,
  type SendWorld,
  textTo,
} from "../testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld()));
afterAll(() => world.close());

/** Returns the units that the key has taken without a refund. */
async function unitsOf(keyId: string): Promise<number> {
  const [row] = await world.sql<{ units: number }[]>`
    select coalesce((select sum(c) from unnest(counts) c), 0)::int as units
    from rate_windows where subject = ${keyId} and bucket = 'send'`;
  return row?.units ?? 0;
}

async function messagesOf(clientMessageId: string): Promise<number> {
  const [row] = await world.sql<{ count: number }[]>`
    select count(*)::int as count from messages where client_message_id = ${clientMessageId}`;
  return row?.count ?? 0;
}

describe("idempotency", () => {
  test("a new message is queued, and a repeat of it answers with the same ids and its present state", async () => {
    const ctx = await asKey(world.ctx);
    const { threadId, contactId } = await openConversation(world.ctx, world.channelId);
    const input = textTo(threadId);
    const first = await sendMessage({ ctx, input });
    expect(first).toEqual({
      message_id: expect.any(String),
      thread_id: threadId,
      contact_id: contactId,
      delivery_state: "queued",
      client_message_id: input.client_message_id,
      deduplicated: false,
    });
    await world.sql`update messages set state = 'read' where id = ${first.message_id}`;
    expect(await sendMessage({ ctx, input })).toEqual({
      ...first,
      delivery_state: "read",
      deduplicated: true,
    });
    expect(await unitsOf(ctx.actor.keyId)).toBe(1);
  });

  test("null is the same as absent, and the order of members doesn't matter", async () => {
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const input = textTo(threadId);
    await sendMessage({ ctx: world.ctx, input });
    const { client_message_id, type, thread_id, text } = input;
    const reordered = { text, thread_id, type, client_message_id, to: null, channel_id: null };
    expect((await sendMessage({ ctx: world.ctx, input: reordered })).deduplicated).toBe(true);
  });

  test("another body under the same id is a conflict that names the field and the original, and costs nothing", async () => {
    const ctx = await asKey(world.ctx);
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const input = textTo(threadId);
    const { message_id } = await sendMessage({ ctx, input });
    const error = sendMessage({ ctx, input: { ...input, text: { body: "Good evening" } } });
    await expect(error).rejects.toMatchObject({
      code: "idempotency_key_reused",
      field: "client_message_id",
      message: expect.stringMatching(new RegExp(`${message_id}.*text\\.body`)),
    });
    await expect(error).rejects.not.toMatchObject({ message: expect.stringContaining("Good") });
    expect(await unitsOf(ctx.actor.keyId)).toBe(1);
  });

  test("50 concurrent equal requests make one message for one unit, also with one unit left", async () => {
    const ctx = await asKey(world.ctx, { sendLimit: 1 });
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const input = textTo(threadId);
    const answers = await Promise.all(Array.from({ length: 50 }, () => sendMessage({ ctx, input })));
    expect(answers.filter((answer) => !answer.deduplicated)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.message_id)).size).toBe(1);
    expect(await unitsOf(ctx.actor.keyId)).toBe(1);
  });

  test("two processes that race for one id make one message; the loser's unit comes back", async () => {
    const ctx = await asKey(world.ctx, { sendLimit: 100 });
    // Another services object has its own single flight, like another process.
    const other = { ...ctx, services: { ...world.services } };
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const inputs = Array.from({ length: 20 }, () => textTo(threadId));
    const answers = await Promise.all(
      inputs.flatMap((input) => [sendMessage({ ctx, input }), sendMessage({ ctx: other, input })]),
    );
    expect(answers.filter((answer) => !answer.deduplicated)).toHaveLength(20);
    await expect.poll(() => unitsOf(ctx.actor.keyId)).toBe(20);
  });

  test("a message that another process stores with the last unit is a repeat, not a refusal", async () => {
    const ctx = await asKey(world.ctx, { sendLimit: 1 });
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const input = textTo(threadId);
    const { limits } = world.services;
    const take: typeof limits.take = async (...unit) => {
      await sendMessage({ ctx, input });
      return limits.take(...unit);
    };
    const overtaken = { ...ctx, services: { ...world.services, limits: { ...limits, take } } };
    expect((await sendMessage({ ctx: overtaken, input })).deduplicated).toBe(true);
  });

  test("two bodies that race under one id in two processes: one wins, every other body is a conflict", async () => {
    const ctx = await asKey(world.ctx);
    const other = { ...ctx, services: { ...world.services } };
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const input = textTo(threadId);
    const different = { ...input, text: { body: "Other" } };
    const codes = await Promise.all([
      ...Array.from({ length: 10 }, () => codeOf(sendMessage({ ctx, input }))),
      ...Array.from({ length: 10 }, () => codeOf(sendMessage({ ctx: other, input: different }))),
    ]);
    expect(codes.filter((code) => code === null)).toHaveLength(10);
    expect(codes.filter((code) => code === "idempotency_key_reused")).toHaveLength(10);
    expect(await messagesOf(input.client_message_id)).toBe(1);
    await expect.poll(() => unitsOf(ctx.actor.keyId)).toBe(1);
  });

  test("one id in two organizations is two messages", async () => {
    const foreign = await createTestOrganization(world.services);
    const foreignThread = await openConversation(foreign, await connectTestChannel(foreign));
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const input = textTo(threadId);
    const mine = await sendMessage({ ctx: world.ctx, input });
    const theirs = await sendMessage({
      ctx: foreign,
      input: textTo(foreignThread.threadId, input.client_message_id),
    });
    expect(theirs.deduplicated).toBe(false);
    expect(theirs.message_id).not.toBe(mine.message_id);
  });

  test("a key that may not use the message's channel can neither repeat it nor compare its body", async () => {
    const second = await connectTestChannel(world.ctx);
    const limited = await asKey(world.ctx, { channelIds: [second] });
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const input = textTo(threadId);
    await sendMessage({ ctx: world.ctx, input });
    expect(await codeOf(sendMessage({ ctx: limited, input }))).toBe("channel_forbidden");
    const other = { ...input, text: { body: "Other" } };
    expect(await codeOf(sendMessage({ ctx: limited, input: other }))).toBe("channel_forbidden");
  });
});

describe("what a refusal leaves behind", () => {
  test("a refusal by a rule stores nothing, burns no id and costs no unit", async () => {
    const ctx = await asKey(world.ctx);
    const handle = newHandle();
    const input = {
      client_message_id: randomUUID(),
      type: "text" as const,
      to: { kind: "whatsapp" as const, handle },
      text: { body: "Hi" },
    };
    expect(await codeOf(sendMessage({ ctx, input }))).toBe("outside_customer_window");
    expect(await messagesOf(input.client_message_id)).toBe(0);
    expect(await world.sql`select 1 from contact_identities where handle = ${handle}`).toHaveLength(0);
    expect(await unitsOf(ctx.actor.keyId)).toBe(0);
    await openConversation(world.ctx, world.channelId, handle);
    expect((await sendMessage({ ctx, input })).deduplicated).toBe(false);
  });

  test("the 429 leaves nothing behind, and a repeat of what was accepted isn't limited", async () => {
    const ctx = await asKey(world.ctx, { sendLimit: 1 });
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const accepted = textTo(threadId);
    const refused = textTo(threadId);
    await sendMessage({ ctx, input: accepted });
    await expect(sendMessage({ ctx, input: refused })).rejects.toMatchObject({
      code: "rate_limited",
      headers: { "X-RateLimit-Limit": "1", "X-RateLimit-Remaining": "0" },
    });
    expect(await messagesOf(refused.client_message_id)).toBe(0);
    expect((await sendMessage({ ctx, input: accepted })).deduplicated).toBe(true);
  });

  test("a key revoked between authentication and insert is refused, and its unit comes back", async () => {
    const ctx = await asKey(world.ctx);
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const input = textTo(threadId);
    await revokeKey({ ctx: world.ctx, input: { keyId: ctx.actor.keyId } });
    expect(await codeOf(sendMessage({ ctx, input }))).toBe("api_key_revoked");
    expect(await messagesOf(input.client_message_id)).toBe(0);
    await expect.poll(() => unitsOf(ctx.actor.keyId)).toBe(0);
  });

  test("with a contact or conversation to be made, a dead key leaves none of them behind", async () => {
    const ctx = await asKey(world.ctx);
    const second = await connectTestChannel(world.ctx);
    await world.sql`update channels set unknown_window_open_until = now() + interval '1 hour' where id = ${second}`;
    const handle = newHandle();
    const input = {
      client_message_id: randomUUID(),
      type: "text" as const,
      channel_id: second,
      to: { kind: "whatsapp" as const, handle },
      text: { body: "Hi" },
    };
    await revokeKey({ ctx: world.ctx, input: { keyId: ctx.actor.keyId } });
    expect(await codeOf(sendMessage({ ctx, input }))).toBe("api_key_revoked");
    expect(await world.sql`select 1 from contact_identities where handle = ${handle}`).toHaveLength(0);
    expect((await sendMessage({ ctx: world.ctx, input })).deduplicated).toBe(false);
  });
});

describe("a repeat of a stale message", () => {
  const makeStale = (id: string) =>
    world.sql`update messages set enqueued_at = now() - interval '61 seconds' where id = ${id}`;
  const wasRequeued = async (id: string) => {
    const [row] = await world.sql<{ fresh: boolean }[]>`
      select enqueued_at > now() - interval '30 seconds' as fresh from messages where id = ${id}`;
    return row?.fresh;
  };

  test("queues it again and wakes its channel; the answer is that of any repeat", async () => {
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const input = textTo(threadId);
    const { message_id } = await sendMessage({ ctx: world.ctx, input });
    await makeStale(message_id);
    world.target.length = 0;
    const answer = await sendMessage({ ctx: world.ctx, input });
    expect(answer).toMatchObject({ message_id, deduplicated: true, delivery_state: "queued" });
    expect(await wasRequeued(message_id)).toBe(true);
    expect(world.target).toEqual([world.channelId]);
  });

  test.each([
    ["claimed", "claim_token = gen_random_uuid(), claimed_until = now() + interval '1 minute'"],
    ["in doubt", "in_doubt_since = now()"],
    ["waiting for its next try", "next_attempt_at = now() + interval '1 minute'"],
    ["sent", "state = 'sent'"],
  ])("leaves one alone that is %s", async (_, change) => {
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const input = textTo(threadId);
    const { message_id } = await sendMessage({ ctx: world.ctx, input });
    await makeStale(message_id);
    await world.sql`update messages set ${world.sql.unsafe(change)} where id = ${message_id}`;
    world.target.length = 0;
    expect((await sendMessage({ ctx: world.ctx, input })).deduplicated).toBe(true);
    expect(await wasRequeued(message_id)).toBe(false);
    expect(world.target).toEqual([]);
  });

  test("leaves one alone that was enqueued within the last minute", async () => {
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const input = textTo(threadId);
    const { message_id } = await sendMessage({ ctx: world.ctx, input });
    await world.sql`update messages set enqueued_at = now() - interval '50 seconds' where id = ${message_id}`;
    await sendMessage({ ctx: world.ctx, input });
    expect(await wasRequeued(message_id)).toBe(false);
  });
});
