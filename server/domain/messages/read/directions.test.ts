import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { InboundContent } from "@/server/adapters/whatsapp/inbound-content";
import { connectTestChannel } from "@/server/domain/organizations/testing";
import { eraseMessages } from "@/server/domain/erasure/erase-messages";
import { addEndpoint, deliveriesOf } from "@/server/domain/webhooks/testing";
import { receiveMessage } from "../receive/receive";
import { messageOutput } from "../model/schemas";
import { newHandle, openConversation, openSendWorld, queueText, type SendWorld, startCall } from "../testing";
import { recordOutcomes } from "../deliver/record-outcomes";
import { getMessage } from "./get";

let world: SendWorld;
let endpointId: string;

beforeAll(async () => {
  world = await openSendWorld({ database: "own" });
  ({ id: endpointId } = await addEndpoint(world.ctx, { url: null }));
});
afterAll(() => world.close());

interface From {
  readonly number: string | null;
  readonly userId: string | null;
}

const get = (id: string) => getMessage({ ctx: world.ctx, input: { id } });
const wamid = () => `wamid.${randomUUID()}`;

function write(from: From, content: InboundContent, channelId = world.channelId, upstreamId = wamid()) {
  const person = { ...from, parentUserId: null };
  const at = new Date(Math.floor(Date.now() / 1000) * 1000);
  const further = { profileName: "Ana", opensWindow: true, becomes: null, upstreamId, at, channelId };
  return receiveMessage({ ctx: world.ctx, input: { ...further, from: person, content } });
}

const text = (body: string, upstreamId?: string): InboundContent => ({
  type: "text",
  text: { body },
  ...(upstreamId === undefined ? {} : { reply_to: { upstream_id: upstreamId } }),
});

/** Data of the message's latest event. */
async function eventOf(messageId: string): Promise<Record<string, unknown>> {
  const deliveries = await deliveriesOf(world, endpointId);
  const events = deliveries.flatMap(({ body }) => (body === null ? [] : JSON.parse(body)));
  return events.findLast(({ data }) => data.message_id === messageId)?.data ?? {};
}

async function sendAndAccept(threadId: string): Promise<{ id: string; upstreamId: string }> {
  const id = await queueText(world.ctx, threadId);
  const { attemptId } = await startCall(world, id);
  const upstreamId = wamid();
  const detail = { httpStatus: 200, upstreamCode: null, reason: "" };
  await recordOutcomes(world.services, [
    { attemptId, messageId: id, outcome: { kind: "accepted", upstreamId, detail } },
  ]);
  return { id, upstreamId };
}

describe("a customer's message", () => {
  test("is shown with its sender and content, and as its event shows it", async () => {
    const number = newHandle();
    const from = { number, userId: "DE.13491208655302741918" };
    const { messageId, contactId, conversationId } = await write(from, text("Hello"));
    const shown = await get(messageId);
    expect(shown).toEqual({
      message_id: messageId,
      client_message_id: null,
      thread_id: conversationId,
      contact_id: contactId,
      channel_id: world.channelId,
      direction: "inbound",
      type: "text",
      to: null,
      from: { kind: "whatsapp", handle: number, user_id: "DE.13491208655302741918" },
      content: { type: "text", text: { body: "Hello" } },
      reply_to: null,
      delivery_state: null,
      error: null,
      created_at: expect.stringMatching(/Z$/),
      sent_at: null,
      delivered_at: null,
      read_at: null,
      failed_at: null,
    });
    expect(messageOutput.parse(shown)).toEqual(shown);
    const { direction, to, content, reply_to, received_at, ...event } = await eventOf(messageId);
    expect({ direction, to, content, reply_to, created_at: received_at }).toEqual({
      direction: shown.direction,
      to: shown.to,
      content: shown.content,
      reply_to: shown.reply_to,
      created_at: shown.created_at,
    });
    expect(event.from).toEqual({ ...shown.from, name: "Ana" });
  });

  test("by someone without a number is from WhatsApp's id", async () => {
    const userId = `DE.${randomUUID().replaceAll("-", "")}`;
    const { messageId } = await write({ number: null, userId }, text("Hello"));
    const from = { kind: "whatsapp_user", handle: null, user_id: userId };
    expect((await get(messageId)).from).toEqual(from);
    expect((await eventOf(messageId)).from).toEqual({ ...from, name: "Ana" });
  });

  test("that came before senders were stored is from its contact's names", async () => {
    const from = { number: newHandle(), userId: `DE.${randomUUID().replaceAll("-", "")}` };
    const { messageId } = await write(from, text("Hello"));
    await world.sql`update messages set sender_number = null, sender_user_id = null where id = ${messageId}`;
    expect((await get(messageId)).from).toEqual({
      kind: "whatsapp",
      handle: from.number,
      user_id: from.userId,
    });
  });

  test("quotes and reacts to messages of either direction by both ids, and to unknown ones by WhatsApp's", async () => {
    const from = { number: newHandle(), userId: null };
    const first = wamid();
    const { messageId: firstId, conversationId } = await write(from, text("First"), world.channelId, first);
    const sent = await sendAndAccept(conversationId);
    const unknown = wamid();
    const known = [
      [first, firstId],
      [sent.upstreamId, sent.id],
      [unknown, null],
    ] as const;
    for (const [upstreamId, id] of known) {
      const quote = { message_id: id, upstream_id: upstreamId };
      const { messageId: quoting } = await write(from, text("That", upstreamId));
      expect((await get(quoting)).reply_to).toEqual(quote);
      expect((await eventOf(quoting)).reply_to).toEqual(quote);
      const reaction = { upstream_id: upstreamId, emoji: "👍" };
      const { messageId: reacting } = await write(from, { type: "reaction", reaction });
      const content = { type: "reaction", reaction: { ...quote, emoji: "👍" } };
      expect((await get(reacting)).content).toEqual(content);
      expect(await eventOf(reacting)).toMatchObject({ content, reply_to: null });
    }
  });

  test("doesn't quote a message of another channel that has the same id there", async () => {
    const other = await connectTestChannel(world.ctx);
    const [from, upstreamId] = [{ number: newHandle(), userId: null }, wamid()];
    await write(from, text("There"), other, upstreamId);
    const { messageId } = await write(from, text("Here", upstreamId));
    expect((await get(messageId)).reply_to).toEqual({ message_id: null, upstream_id: upstreamId });
  });
});

describe("an outbound message", () => {
  test("is shown by its event as by a read", async () => {
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const { id } = await sendAndAccept(threadId);
    const { previous_state, sequence, inferred, ...data } = await eventOf(id);
    expect(data).toEqual(await get(id));
    expect([previous_state, sequence, inferred]).toEqual(["queued", 1, false]);
  });

  test("quotes a message by both ids; WhatsApp's is null as long as it isn't known", async () => {
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const { id } = await sendAndAccept(threadId);
    const quoted = await queueText(world.ctx, threadId);
    await world.sql`
      update messages set content = content || ${JSON.stringify({ reply_to: { message_id: quoted } })}::text::jsonb
      where id = ${id}`;
    const { content, reply_to } = await get(id);
    expect(reply_to).toEqual({ message_id: quoted, upstream_id: null });
    expect(Object.keys(content ?? {})).toEqual(["text"]);
    const upstreamId = wamid();
    await world.sql`update messages set upstream_id = ${upstreamId} where id = ${quoted}`;
    expect((await get(id)).reply_to).toEqual({ message_id: quoted, upstream_id: upstreamId });
  });

  test("to someone without a number is to WhatsApp's id", async () => {
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const id = await queueText(world.ctx, threadId);
    await world.sql`update messages set recipient = 'DE.13491208655302741918' where id = ${id}`;
    const to = { kind: "whatsapp_user", handle: null, user_id: "DE.13491208655302741918" };
    expect((await get(id)).to).toEqual(to);
  });
});

test("an erased message has no content, names and quotes any more, and neither have its events", async () => {
  const number = newHandle();
  const { messageId, conversationId } = await write({ number, userId: null }, text("Secret", wamid()));
  const { id } = await sendAndAccept(conversationId);
  const before = await eventOf(id);
  await world.sql.begin((tx) => eraseMessages(tx, world.ctx.actor.organizationId, [messageId, id]));
  const nobody = { kind: "whatsapp", handle: null, user_id: null };
  const gone = { content: null, reply_to: null };
  expect(await get(messageId)).toMatchObject({ ...gone, from: nobody, to: null });
  expect(await get(id)).toMatchObject({ ...gone, to: nobody, from: null });
  expect(await eventOf(messageId)).toEqual({});
  expect(await eventOf(id)).toEqual({ ...before, ...gone, to: nobody });
});
