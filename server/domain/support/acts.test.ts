import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { MemberActor, SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { isWaypostError } from "@/server/platform/errors";
import { listAudit, listAuditInput } from "@/server/domain/audit/list";
import { removeMember } from "@/server/domain/members/remove";
import { getMessage } from "@/server/domain/messages/read/get";
import { sendMessage } from "@/server/domain/messages/send/send";
import {
  addTemplate,
  addUpload,
  asKey,
  codeOf,
  type Conversation,
  newHandle,
  openConversation,
  openSendWorld,
  type SendWorld,
  textTo,
} from "@/server/domain/messages/testing";
import { asMember } from "@/server/domain/organizations/testing";
import { answerConversation, answerInput } from "./answer";
import { assignConversation } from "./assign";
import { listAssignees } from "./assignees";
import { getConversation } from "./get";
import { addNote, addNoteInput } from "./note";
import { closeConversation, reopenConversation } from "./set-status";
import { said, write } from "./testing";

let world: SendWorld;
let ctx: Context<SystemActor>;
let member: Context<MemberActor>;
let owner: Context<MemberActor>;
let conversation: Conversation;
let threadId: string;

beforeAll(async () => {
  world = await openSendWorld();
  ({ ctx } = world);
  [member, owner] = [await asMember(ctx, "agent"), await asMember(ctx, "owner")];
});
beforeEach(async () => {
  conversation = await openConversation(ctx, world.channelId);
  ({ threadId } = conversation);
});
afterAll(() => world.close());

const get = () => getConversation({ ctx: member, input: { threadId } });

/** The acts on a subject, oldest first. */
async function actsOn(subjectId: string) {
  const { data } = await listAudit({ ctx: owner, input: parseInput(listAuditInput, { subjectId }) });
  return data.toReversed().map(({ action, detail, actor }) => ({ action, detail, by: actor.id }));
}

async function faultOf(call: Promise<unknown>) {
  const error: unknown = await call.catch((reason: unknown) => reason);
  if (!isWaypostError(error)) throw new Error("It wasn't refused");
  return [error.code, error.field];
}

test("a number that WhatsApp refused is unreachable for a day, and the current one counts", async () => {
  const { contactId, handle } = conversation;
  expect((await get()).customer.unreachableUntil).toBeNull();
  const [row] = await world.sql<{ until: Date }[]>`
    update contact_identities set refused_at = now() - interval '1 hour' where handle = ${handle}
    returning refused_at + interval '24 hours' as until`;
  expect((await get()).customer.unreachableUntil).toEqual(row?.until);
  const answer = { threadId, idempotencyToken: randomUUID(), content: { type: "text" as const, body: "Hi" } };
  await expect(answerConversation({ ctx: member, input: answer })).rejects.toMatchObject({
    code: "recipient_unreachable",
  });
  await world.sql`update contact_identities set refused_at = now() - interval '25 hours' where handle = ${handle}`;
  expect((await get()).customer.unreachableUntil).toBeNull();
  await world.sql`update contact_identities set refused_at = now() where handle = ${handle}`;
  await world.sql`
    insert into contact_identities (id, organization_id, contact_id, kind, handle, canonical, current_since)
    values (${randomUUID()}, ${ctx.actor.organizationId}, ${contactId}, 'whatsapp', ${newHandle()}, ${newHandle()}, now())`;
  expect((await get()).customer.unreachableUntil).toBeNull();
});

describe("closing and reopening", () => {
  test("each count once, and are audited with their member", async () => {
    const input = { threadId };
    expect((await get()).thread.state).toBe("open");
    await Promise.all([closeConversation({ ctx: member, input }), closeConversation({ ctx: member, input })]);
    expect((await get()).thread.state).toBe("closed");
    await reopenConversation({ ctx: member, input });
    await reopenConversation({ ctx: member, input });
    expect((await get()).thread.state).toBe("open");
    const by = member.actor.memberId;
    expect(await actsOn(threadId)).toEqual([
      { action: "conversation.closed", detail: { status: { from: "open", to: "closed" } }, by },
      { action: "conversation.reopened", detail: { status: { from: "closed", to: "open" } }, by },
    ]);
  });

  test("isn't undone by a message of the API, of the customer or of a member", async () => {
    await assignConversation({ ctx: member, input: { threadId, memberId: owner.actor.memberId } });
    await closeConversation({ ctx: member, input: { threadId } });
    await sendMessage({ ctx: await asKey(ctx), input: textTo(threadId) });
    await write(ctx, world.channelId, conversation.handle, said("One more thing"));
    await answer({ type: "text", body: "Yes?" });
    expect(await get()).toMatchObject({
      thread: { state: "closed" },
      assignee: { id: owner.actor.memberId },
    });
  });
});

describe("an assignment", () => {
  const assign = (memberId: string | null) =>
    assignConversation({ ctx: member, input: { threadId, memberId } });

  test("to a member, to the same one, and to nobody is audited where it changes something", async () => {
    await assign(owner.actor.memberId);
    await assign(owner.actor.memberId.toUpperCase());
    expect((await get()).assignee).toEqual({ id: owner.actor.memberId, name: "owner" });
    await assign(null);
    expect((await get()).assignee).toBeNull();
    expect((await actsOn(threadId)).map(({ detail }) => detail)).toEqual([
      { assignee: { from: null, to: "owner" }, memberId: owner.actor.memberId },
      { assignee: { from: "owner", to: null }, memberId: null },
    ]);
  });

  test("goes to members of the organization only, and not to removed ones", async () => {
    const removed = await asMember(ctx, "agent");
    const { memberId } = removed.actor;
    await assign(memberId);
    const names = async () => {
      const { data } = await listAssignees({ ctx: member, input: { limit: 100 } });
      return data.map(({ id }) => id);
    };
    expect(await names()).toContain(memberId);
    await removeMember({ ctx: owner, input: { memberId } });
    expect(await names()).not.toContain(memberId);
    expect((await get()).assignee).toMatchObject({ id: memberId });
    await assign(null);
    for (const id of [memberId, randomUUID(), "no id"])
      expect(await faultOf(assign(id))).toEqual(["member_not_found", "memberId"]);
  });
});

describe("a note", () => {
  const note = (body: string, idempotencyToken = randomUUID()) =>
    addNote({ ctx: member, input: parseInput(addNoteInput, { threadId, idempotencyToken, body }) });

  test("is stored once for each token, never sent, and never shown to a key", async () => {
    const token = randomUUID();
    const { noteId } = await note("Prefers mornings", token);
    expect(await note("Prefers mornings", token)).toEqual({ noteId, isRepeat: true });
    expect(await faultOf(note("Something else", token))).toEqual([
      "idempotency_key_reused",
      "idempotencyToken",
    ]);
    expect(await codeOf(getMessage({ ctx: await asKey(ctx), input: { id: noteId } }))).toBe(
      "message_not_found",
    );
    const [row] = await world.sql`
      select kind, state, next_attempt_at as due, member_id as "memberId" from messages where id = ${noteId}`;
    expect(row).toEqual({ kind: "note", state: null, due: null, memberId: member.actor.memberId });
    expect(await actsOn(threadId)).toEqual([
      { action: "conversation.noted", detail: { noteId }, by: member.actor.memberId },
    ]);
  });

  test("isn't the conversation's last message", async () => {
    const last = async () => {
      const [row] = await world.sql`select last_activity_seq from conversations where id = ${threadId}`;
      return row;
    };
    const before = await last();
    await note("Quiet");
    expect(await last()).toEqual(before);
  });

  test.each([
    ["nothing", " \n", "body"],
    ["more than 4,096 characters", "é".repeat(4097), "body"],
  ])("of %s is refused", async (_, body, field) => {
    expect(await faultOf((async () => note(body))())).toEqual(["validation_failed", field]);
  });
});

type Content = (typeof answerInput)["_zod"]["input"]["content"];

const answer = async (
  content: Content,
  { token = randomUUID(), as = member }: { token?: string; as?: Context } = {},
) =>
  answerConversation({
    ctx: as,
    input: parseInput(answerInput, { threadId, idempotencyToken: token, content }),
  });

describe("an answer", () => {
  test("is sent once for each token, by its member, and audited", async () => {
    const token = randomUUID();
    const { messageId } = await answer({ type: "text", body: "👋" }, { token });
    expect(await answer({ type: "text", body: "👋" }, { token })).toEqual({
      messageId,
      threadId,
      isRepeat: true,
    });
    expect(await faultOf(answer({ type: "text", body: "Bye" }, { token }))).toEqual([
      "idempotency_key_reused",
      "idempotencyToken",
    ]);
    const [row] = await world.sql`
      select member_id as "memberId", key_id as "keyId", recipient from messages where id = ${messageId}`;
    expect(row).toEqual({ memberId: member.actor.memberId, keyId: null, recipient: conversation.handle });
    expect(await actsOn(messageId)).toEqual([
      { action: "message.answered", detail: { threadId, type: "text" }, by: member.actor.memberId },
    ]);
  });

  test("outside the window is refused, but for a template with its variables", async () => {
    const { id } = await addTemplate(ctx, world.channelId, { variables: ["name"] });
    await world.sql`
      update conversations set last_inbound_at = now() - interval '25 hours' where id = ${threadId}`;
    expect(await faultOf(answer({ type: "text", body: "Hello" }))).toEqual([
      "outside_customer_window",
      undefined,
    ]);
    const template = { type: "template", templateId: id } as const;
    expect(await faultOf(answer({ ...template, variables: {} }))).toEqual([
      "template_variables_mismatch",
      "content.variables",
    ]);
    const refused = answer({ ...template, variables: { name: " ", city: "" } });
    await expect(refused).rejects.toMatchObject({
      field: "content.variables.name",
      others: [{ field: "content.variables.city", message: "`content.variables.city` must not be blank." }],
    });
    expect(await answer({ ...template, variables: { name: "Ada" } })).toMatchObject({ isRepeat: false });
  });

  test("can be a file with a caption", async () => {
    const { storageKey } = await addUpload(ctx);
    const { messageId } = await answer({ type: "image", storageKey, caption: "Look" });
    const [row] = await world.sql`select content from messages where id = ${messageId}`;
    expect(row?.content).toMatchObject({ media: { storage_key: storageKey }, text: { body: "Look" } });
    expect(await faultOf(answer({ type: "image", storageKey: "unknown" }))).toEqual([
      "invalid_media",
      "content.storageKey",
    ]);
  });

  test.each([
    ["a blank text", { type: "text", body: " " } as const],
    ["4,097 characters", { type: "text", body: "x".repeat(4097) } as const],
  ])("of %s names the field", async (_, content) => {
    expect(await faultOf(answer(content))).toEqual(["validation_failed", "content.body"]);
  });

  test("of 4,096 characters is accepted", async () => {
    expect(await answer({ type: "text", body: "ש".repeat(4096) })).toMatchObject({ isRepeat: false });
  });
});

describe("an unknown conversation", () => {
  const unknown = { threadId: randomUUID() };
  const idempotencyToken = randomUUID();
  const content = { type: "text", body: "Hi" } as const;
  test.each<[string, () => Promise<unknown>]>([
    ["closing", () => closeConversation({ ctx: member, input: unknown })],
    ["reopening", () => reopenConversation({ ctx: member, input: unknown })],
    ["assigning", () => assignConversation({ ctx: member, input: { ...unknown, memberId: null } })],
    ["noting", () => addNote({ ctx: member, input: { ...unknown, idempotencyToken, body: "Hi" } })],
    [
      "answering",
      () => answerConversation({ ctx: member, input: { ...unknown, idempotencyToken, content } }),
    ],
    ["reading", () => getConversation({ ctx: member, input: unknown })],
  ])("is refused by %s", async (_, act) => {
    expect(await faultOf(act())).toEqual(["thread_not_found", "threadId"]);
  });
});

test.each<[string, (key: Context) => Promise<unknown>]>([
  ["close", (key) => closeConversation({ ctx: key, input: { threadId } })],
  ["assign", (key) => assignConversation({ ctx: key, input: { threadId, memberId: null } })],
  ["read", (key) => getConversation({ ctx: key, input: { threadId } })],
  ["answer", (key) => answer({ type: "text", body: "Hi" }, { as: key })],
])("no key may %s, whatever its scopes are", async (_, act) => {
  expect(await codeOf(act(await asKey(ctx)))).toBe("permission_denied");
});
