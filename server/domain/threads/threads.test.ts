import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { getContact } from "@/server/domain/contacts/get";
import { newPerson, writeUnderTwoNames } from "@/server/domain/contacts/testing";
import { threadOutput } from "@/server/domain/conversations/thread";
import { eraseContact } from "@/server/domain/erasure/erase-contact";
import { listMessages } from "@/server/domain/messages/read/list";
import { listMessagesInput } from "@/server/domain/messages/read/list-filter";
import {
  asKey,
  codeOf,
  newHandle,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
} from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { getThread } from "./get";
import { listThreads, listThreadsInput } from "./list";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld()));
afterAll(() => world.close());

const get = (ctx: Context, id: string) => getThread({ ctx, input: { thread_id: id } });
const list = (ctx: Context, query: Readonly<Record<string, string>> = {}) =>
  listThreads({ ctx, input: parseInput(listThreadsInput, query) });
const idsOf = async (ctx: Context, query: Readonly<Record<string, string>> = {}) =>
  (await list(ctx, query)).data.map(({ thread_id: id }) => id);

async function newShop() {
  const ctx: Context<SystemActor> = await createTestOrganization(world.services);
  const channels = [await connectTestChannel(ctx), await connectTestChannel(ctx)] as const;
  return { ctx, channels };
}

describe("a conversation", () => {
  test("is shown with its contact, state, window and last message", async () => {
    const { ctx, channels } = await newShop();
    const { threadId, contactId } = await openConversation(ctx, channels[0]);
    const messageId = await queueText(ctx, threadId);
    const [row] = await world.sql<{ createdAt: Date; lastInboundAt: Date }[]>`
      select m.created_at as "createdAt", v.last_inbound_at as "lastInboundAt"
      from messages m join conversations v on v.id = m.conversation_id where m.id = ${messageId}`;
    const shown = await get(ctx, threadId.toUpperCase());
    expect(shown).toEqual({
      thread_id: threadId,
      contact_id: contactId,
      channel_id: channels[0],
      state: "open",
      assignee_id: null,
      window: {
        open: true,
        expires_at: new Date((row?.lastInboundAt.getTime() ?? 0) + 86_400_000).toISOString(),
      },
      last_message_at: row?.createdAt.toISOString(),
    });
    expect(threadOutput.parse(shown)).toEqual(shown);
    expect((await list(ctx)).data).toEqual([shown]);
    await world.sql`
      update conversations set status = 'closed', window_closed_at = now() + interval '1 hour' where id = ${threadId}`;
    expect(await get(ctx, threadId)).toMatchObject({
      state: "closed",
      window: { open: false, expires_at: null },
    });
  });

  test("that a merged contact left behind leads to the one that remains, which alone is listed", async () => {
    const person = await newPerson(world);
    const { contactId, mergedId, threadId } = await writeUnderTwoNames(person);
    const [left] = await world.sql<
      { id: string }[]
    >`select id from conversations where contact_id = ${mergedId}`;
    const leftId = left?.id ?? "";
    const remaining = await get(world.ctx, threadId);
    expect(remaining).toMatchObject({ thread_id: threadId, contact_id: contactId });
    expect(await get(world.ctx, leftId)).toEqual(remaining);
    for (const id of [mergedId, contactId])
      expect((await list(world.ctx, { contact_id: id })).data).toEqual([remaining]);
    expect(await idsOf(world.ctx, { to: person.number })).toEqual([threadId]);
    const all = await idsOf(world.ctx, { limit: "100" });
    expect(all).toContain(threadId);
    expect(all).not.toContain(leftId);
    const { threads } = await getContact({ ctx: world.ctx, input: { contact_id: contactId } });
    expect(threads).toEqual([remaining]);
    const ofLeft = parseInput(listMessagesInput, { thread_id: leftId, direction: "any" });
    const { data } = await listMessages({ ctx: world.ctx, input: ofLeft });
    expect(data.map(({ thread_id: id }) => id)).toEqual([leftId]);
  });

  test("of an erased contact isn't found or listed; its messages stay, without contents", async () => {
    const { ctx, channels } = await newShop();
    const { threadId, contactId } = await openConversation(ctx, channels[0]);
    const other = await openConversation(ctx, channels[0]);
    const messageId = await queueText(ctx, threadId);
    await eraseContact({ ctx, input: { contactId } });
    expect(await codeOf(get(ctx, threadId))).toBe("thread_not_found");
    expect(await idsOf(ctx)).toEqual([other.threadId]);
    expect(await idsOf(ctx, { contact_id: contactId })).toEqual([]);
    const { data } = await listMessages({
      ctx,
      input: parseInput(listMessagesInput, { thread_id: threadId }),
    });
    expect(data.map(({ message_id: id, content }) => [id, content])).toEqual([[messageId, null]]);
  });

  test("isn't found by whoever may not see it", async () => {
    const { ctx, channels } = await newShop();
    const { threadId } = await openConversation(ctx, channels[0]);
    const limited = await asKey(ctx, { channelIds: [channels[1]] });
    const foreign = await createTestOrganization(world.services);
    for (const [who, id] of [
      [limited, threadId],
      [foreign, threadId],
      [ctx, randomUUID()],
      [ctx, "not-an-id"],
    ] as const) {
      await expect(get(who, id)).rejects.toMatchObject({
        code: "thread_not_found",
        message: "The conversation doesn't exist.",
      });
    }
    expect(await codeOf(get(await asKey(ctx, { scopes: ["messages:send"] }), threadId))).toBe(
      "missing_scope",
    );
  });
});

describe("the list", () => {
  test("has the newest message first, over all channels, in pages", async () => {
    const { ctx, channels } = await newShop();
    const threads: string[] = [];
    for (const channel of [channels[0], channels[1], channels[0]])
      threads.push((await openConversation(ctx, channel)).threadId);
    expect(await idsOf(ctx)).toEqual(threads.toReversed());
    await queueText(ctx, threads[0] ?? "");
    const expected = [threads[0], threads[2], threads[1]];
    expect(await idsOf(ctx)).toEqual(expected);
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page = await list(ctx, { limit: "1", ...(cursor === "" ? {} : { cursor }) });
      seen.push(...page.data.map(({ thread_id: id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(expected);
    expect(await idsOf(ctx, { channel_id: channels[1] })).toEqual([threads[1]]);
    expect(await idsOf(await asKey(ctx, { channelIds: [channels[1]] }))).toEqual([threads[1]]);
    expect(await idsOf(await createTestOrganization(world.services))).toEqual([]);
  });

  test("is limited to a contact and to a number in any spelling", async () => {
    const { ctx, channels } = await newShop();
    const number = newHandle();
    const { threadId, contactId } = await openConversation(ctx, channels[0], number);
    await openConversation(ctx, channels[0]);
    expect(await idsOf(ctx, { contact_id: contactId })).toEqual([threadId]);
    for (const to of [number, `+${number}`, `00${number}`, ` ${number.slice(0, 2)} ${number.slice(2)}`])
      expect(await idsOf(ctx, { to })).toEqual([threadId]);
    expect(await idsOf(ctx, { to: newHandle() })).toEqual([]);
    expect(await idsOf(ctx, { to: number, contact_id: randomUUID() })).toEqual([]);
    for (const to of ["Ana", "0151 71913980", "(0) 30 1234567"])
      await expect(async () => list(ctx, { to })).rejects.toMatchObject({
        code: "validation_failed",
        field: "to",
      });
    expect(await codeOf(list(ctx, { channel_id: randomUUID() }))).toBe("channel_forbidden");
  });
});
