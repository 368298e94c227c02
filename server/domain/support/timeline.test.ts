import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { MemberActor, SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { eraseContact } from "@/server/domain/erasure/erase-contact";
import { createKey } from "@/server/domain/keys/create";
import {
  addTemplate,
  codeOf,
  type Conversation,
  newHandle,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
} from "@/server/domain/messages/testing";
import { sendMessage } from "@/server/domain/messages/send/send";
import { asMember } from "@/server/domain/organizations/testing";
import { addRefusal } from "@/server/domain/requests/testing";
import { addNote } from "./note";
import { readInPages, said, write } from "./testing";
import { readConversationTimeline, type TimelineEntry, timelineInput } from "./timeline";
import type { MessageEntry } from "./timeline-entries";

let world: SendWorld;
let ctx: Context<SystemActor>;
let member: Context<MemberActor>;
let conversation: Conversation;

beforeAll(async () => {
  world = await openSendWorld();
  ({ ctx } = world);
  member = await asMember(ctx, "agent");
});
beforeEach(async () => {
  conversation = await openConversation(ctx, world.channelId, newHandle());
});
afterAll(() => world.close());

const read = (input: { limit?: string; cursor?: string } = {}) =>
  readConversationTimeline({
    ctx: member,
    input: parseInput(timelineInput, { threadId: conversation.threadId, ...input }),
  });

const note = (body: string) =>
  addNote({
    ctx: member,
    input: { threadId: conversation.threadId, idempotencyToken: randomUUID(), body },
  });

const customerWrites = (content: Parameters<typeof write>[3]) =>
  write(ctx, world.channelId, conversation.handle, content);

/** One line for each entry, oldest first. */
function lines(entries: readonly TimelineEntry[]): string[] {
  return entries.toReversed().map((entry) => {
    if (entry.kind === "note") return `note ${entry.body}`;
    if (entry.kind === "act") return entry.act;
    if (entry.kind === "refused") return `refused ${entry.request.code}`;
    const body =
      entry.message.content && "text" in entry.message.content ? entry.message.content.text?.body : null;
    return `${entry.message.direction} ${body ?? entry.message.type}`;
  });
}

async function entryOf(id: string): Promise<MessageEntry> {
  const { data } = await read();
  const found = data.find((entry) => entry.id === id);
  if (found?.kind !== "message") throw new Error("The message isn't in the timeline");
  return found;
}

/** The message has been handed over. @returns WhatsApp's id. */
async function markSent(id: string): Promise<string> {
  const upstreamId = `wamid.${randomUUID()}`;
  await world.sql`
    update messages set state = 'sent', sent_at = now(), upstream_id = ${upstreamId} where id = ${id}`;
  return upstreamId;
}

describe("a timeline", () => {
  test("has both directions, notes and refused requests in their order, and pages through them", async () => {
    await queueText(ctx, conversation.threadId);
    await note("Calls back tomorrow");
    const { id: keyId } = await createKey({ ctx, input: { name: "Shop" } });
    await addRefusal(ctx, {
      keyId,
      number: conversation.handle,
      code: "outside_customer_window",
      status: 422,
    });
    await customerWrites(said("Still there?"));
    const all = [
      "inbound Hello",
      "outbound Good morning",
      "note Calls back tomorrow",
      "refused outside_customer_window",
      "inbound Still there?",
    ];
    const whole = await read();
    expect(lines(whole.data)).toEqual(all);
    expect(whole).toMatchObject({ next_cursor: null, isRefusedCut: false });

    expect(lines(await readInPages(member, conversation.threadId))).toEqual(all);
  });

  test("of an erased customer keeps the states, and neither words, notes nor numbers", async () => {
    const id = await queueText(ctx, conversation.threadId);
    await markSent(id);
    await note("Is difficult");
    await eraseContact({ ctx: await asMember(ctx, "owner"), input: { contactId: conversation.contactId } });
    const { data } = await read();
    expect(JSON.stringify(data)).not.toMatch(/Good morning|difficult|Hello/);
    expect(JSON.stringify(data)).not.toContain(conversation.handle);
    expect(data).toMatchObject([
      { kind: "note", body: null },
      { kind: "message", message: { message_id: id, delivery_state: "sent", content: null } },
      { kind: "message", message: { direction: "inbound", content: null } },
    ]);
  });

  test("of an unknown conversation, and with a cursor of another one, is refused", async () => {
    const of = (threadId: string) =>
      codeOf(readConversationTimeline({ ctx: member, input: { threadId, limit: 50 } }));
    expect(await of(randomUUID())).toBe("thread_not_found");
    expect(await of("no id")).toBe("thread_not_found");
    const other = await openConversation(ctx, world.channelId);
    await queueText(ctx, conversation.threadId);
    const { next_cursor: cursor } = await read({ limit: "1" });
    const elsewhere = { threadId: other.threadId, limit: 1, cursor: cursor ?? "" };
    expect(await codeOf(readConversationTimeline({ ctx: member, input: elsewhere }))).toBe(
      "validation_failed",
    );
  });
});

describe("a message", () => {
  test("that was sent says who sent it, and what became of it", async () => {
    const id = await queueText(ctx, conversation.threadId);
    expect(await entryOf(id)).toMatchObject({
      sender: { kind: "waypost" },
      message: { delivery_state: "queued" },
      explanation: null,
      webhooks: { total: 0, waiting: 0, failed: 0 },
    });
    await world.sql`
      update messages set state = 'failed', failed_at = now(), error_code = 'outside_customer_window',
        error_detail = '{"upstreamCode": 131047}' where id = ${id}`;
    const { explanation } = await entryOf(id);
    expect(explanation).toMatchObject({ resend: "later", upstream: { code: 131047 } });
    expect(explanation?.whatToDo).not.toBe("");
  });

  test("of a customer says when it was written, however late it arrived", async () => {
    const written = new Date(Date.now() - 7_200_000);
    const { id } = await write(ctx, world.channelId, conversation.handle, said("Late"), written);
    const entry = await entryOf(id);
    expect(entry.writtenAt).toEqual(written);
    expect(entry.at.getTime()).toBeGreaterThan(written.getTime());
    expect((await entryOf(await queueText(ctx, conversation.threadId))).writtenAt).toBeNull();
  });

  test("whose answer was lost, or whose channel is paused, says why it waits", async () => {
    const id = await queueText(ctx, conversation.threadId);
    await world.sql`
      update channels set paused_at = now(), pause_reason = 'payment_required' where id = ${world.channelId}`;
    expect((await entryOf(id)).explanation?.whatHappened).toContain("its channel is paused");
    await world.sql`update channels set paused_at = null, pause_reason = null where id = ${world.channelId}`;
    await world.sql`update messages set in_doubt_since = now() where id = ${id}`;
    expect(await entryOf(id)).toMatchObject({ isInDoubt: true, explanation: { resend: "may_duplicate" } });
  });

  test("of a template shows what the customer sees", async () => {
    const template = await addTemplate(ctx, world.channelId, { variables: ["name"] });
    await world.sql`
      update templates set components = '[{"type": "BODY", "text": "Good day, {{name}}"}]' where id = ${template.id}`;
    const sent = await sendMessage({
      ctx,
      input: {
        client_message_id: randomUUID(),
        type: "template",
        thread_id: conversation.threadId,
        template: { template_submission_id: template.id, variables: { name: "Ada" } },
      },
    });
    expect((await entryOf(sent.message_id)).template).toMatchObject({
      name: template.name,
      parts: [{ label: "Body", kind: "body", card: null, media: null, text: "Good day, Ada", url: null }],
    });
  });
});

describe("what belongs to another message is shown there", () => {
  test("the last reaction of each side, until it is taken back", async () => {
    const id = await queueText(ctx, conversation.threadId);
    const upstreamId = await markSent(id);
    const react = (emoji: string | null) =>
      customerWrites({ type: "reaction", reaction: { upstream_id: upstreamId, emoji } });
    await react("👍");
    await react("❤️");
    expect((await entryOf(id)).aftermath.reactions).toEqual([
      { by: "customer", emoji: "❤️", memberName: null, state: null },
    ]);
    expect(lines((await read()).data)).toEqual(["inbound Hello", "outbound Good morning"]);
    await react(null);
    expect((await entryOf(id)).aftermath.reactions).toEqual([]);
  });

  test("the organization's own reaction, with its state, and by itself where it failed", async () => {
    const { id, upstreamId } = await customerWrites(said("Thank you"));
    const reactionId = await queueText(ctx, conversation.threadId);
    await world.sql`
      update messages set type = 'reaction', member_id = ${member.actor.memberId},
        content = ${world.sql.json({ type: "reaction", reaction: { message_id: id, emoji: "🎉" } })}
      where id = ${reactionId}`;
    expect(upstreamId).toContain("wamid.");
    expect((await entryOf(id)).aftermath.reactions).toEqual([
      { by: "us", emoji: "🎉", memberName: "agent", state: "queued" },
    ]);
    await world.sql`
      update messages set state = 'failed', error_code = 'undeliverable', failed_at = now() where id = ${reactionId}`;
    expect((await entryOf(id)).aftermath.reactions).toEqual([]);
    expect((await entryOf(reactionId)).explanation).not.toBeNull();
  });

  test("a change and a deletion by the customer", async () => {
    const { id, upstreamId } = await customerWrites(said("At four"));
    await customerWrites({ type: "edit", edits: { upstream_id: upstreamId, content: said("At five") } });
    expect((await entryOf(id)).aftermath.edit).toMatchObject({ body: "At five" });
    await customerWrites({ type: "revoke", revokes: { upstream_id: upstreamId } });
    expect((await entryOf(id)).aftermath.deletedAt).toBeInstanceOf(Date);
    expect(lines((await read()).data)).toEqual(["inbound Hello", "inbound At four"]);
  });

  test("but a reaction to a message that nobody knows stands by itself", async () => {
    await customerWrites({ type: "reaction", reaction: { upstream_id: "wamid.unknown", emoji: "👍" } });
    expect(lines((await read()).data)).toEqual(["inbound Hello", "inbound reaction"]);
  });
});

describe("a quote", () => {
  const answers = (upstreamId: string) =>
    customerWrites({ ...said("Yes, that one"), reply_to: { upstream_id: upstreamId } });

  test("shows the start of its message, wherever that is in the conversation", async () => {
    const quotedId = await queueText(ctx, conversation.threadId);
    const { id } = await answers(await markSent(quotedId));
    const { data } = await read({ limit: "1" });
    expect(data).toMatchObject([
      {
        id,
        quote: { messageId: quotedId, direction: "outbound", preview: "Good morning", isHere: true },
        message: { reply_to: { message_id: quotedId } },
      },
    ]);
  });

  test("of an unknown, an erased and another conversation's message says so", async () => {
    expect((await entryOf((await answers("wamid.unknown")).id)).quote).toMatchObject({ messageId: null });
    const erased = await customerWrites(said("Forget this"));
    const { id } = await answers(erased.upstreamId);
    await world.sql`update messages set erased_at = now(), content = '{}' where id = ${erased.id}`;
    expect((await entryOf(id)).quote).toMatchObject({ messageId: erased.id, preview: null, isErased: true });
    const other = await openConversation(ctx, world.channelId);
    const elsewhere = await write(ctx, world.channelId, other.handle, said("Elsewhere"));
    expect((await entryOf((await answers(elsewhere.upstreamId)).id)).quote).toMatchObject({ isHere: false });
  });
});
