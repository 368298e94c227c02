import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { MemberActor, SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { getContact } from "@/server/domain/contacts/get";
import { searchContacts, searchContactsInput } from "@/server/domain/contacts/search";
import { eraseContact } from "@/server/domain/erasure/erase-contact";
import {
  type Conversation,
  codeOf,
  newHandle,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
} from "@/server/domain/messages/testing";
import { asMember, connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { assignConversation } from "./assign";
import { getConversation } from "./get";
import { listConversations, listConversationsInput } from "./list";
import { closeConversation } from "./set-status";
import { said, write } from "./testing";

let world: SendWorld;
let ctx: Context<SystemActor>;
let member: Context<MemberActor>;
let channels: readonly [string, string];
/** Oldest activity first. */
let conversations: Conversation[];

beforeAll(async () => {
  world = await openSendWorld();
});
beforeEach(async () => {
  ctx = await createTestOrganization(world.services);
  member = await asMember(ctx, "agent");
  channels = [await connectTestChannel(ctx, true), await connectTestChannel(ctx)];
  conversations = [];
  for (const channelId of [channels[0], channels[1], channels[0]])
    conversations.push(await openConversation(ctx, channelId, newHandle()));
});
afterAll(() => world.close());

type Input = Parameters<typeof listConversationsInput.parse>[0];

const list = (input: Input = {}) =>
  listConversations({ ctx: member, input: listConversationsInput.parse(input) });
const idsOf = async (input: Input = {}) => (await list(input)).data.map(({ id }) => id);
const thread = (index: number) => conversations[index]?.threadId ?? "";

describe("the list of conversations", () => {
  test("has the newest message first, on all channels, and pages without loss", async () => {
    const newest = [thread(2), thread(1), thread(0)];
    expect(await idsOf()).toEqual(newest);
    await queueText(ctx, thread(0));
    const order = [thread(0), thread(2), thread(1)];
    const paged: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({
        limit: "1",
        ...(cursor ? { cursor } : {}),
      });
      paged.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(paged).toEqual(order);
  });

  test("shows customer, channel, window and last message", async () => {
    await queueText(ctx, thread(2));
    const [first, second] = (await list()).data;
    expect(first).toMatchObject({
      customer: { name: "Customer", number: conversations[2]?.handle, isErased: false },
      channel: { id: channels[0], isSimulated: true },
      thread: { thread_id: thread(2), state: "open", window: { open: true } },
      assignee: null,
      lastMessage: { direction: "outbound", preview: "Good morning", state: "queued" },
    });
    expect(second?.lastMessage).toMatchObject({ direction: "inbound", preview: "Hello", state: null });
  });

  test("of an erased customer keeps the row without name, number and words", async () => {
    const owner = await asMember(ctx, "owner");
    await eraseContact({ ctx: owner, input: { contactId: conversations[2]?.contactId ?? "" } });
    expect((await list()).data[0]).toMatchObject({
      id: thread(2),
      customer: { name: null, number: null, isErased: true },
      lastMessage: { preview: null, isErased: true },
    });
  });

  test.each([
    ["a reaction", { type: "reaction", reaction: { upstream_id: "wamid.x", emoji: "👍" } }, "👍"],
    ["a file", { type: "document", media: { id: "1", filename: "a.pdf" } }, "a.pdf"],
    ["a button", { type: "button", reply: { title: "Yes" } }, "Yes"],
    ["a sticker", { type: "sticker", media: { id: "1" } }, null],
    ["a long text", said("م".repeat(4096)), "م".repeat(140)],
  ])("previews %s", async (_, content, preview) => {
    await write(ctx, channels[1], conversations[1]?.handle ?? "", content);
    expect((await list()).data[0]?.lastMessage).toMatchObject({ type: content.type, preview });
  });
});

describe("filters", () => {
  test("by state, assignee and channel leave what they say", async () => {
    await closeConversation({ ctx: member, input: { threadId: thread(0) } });
    await assignConversation({
      ctx: member,
      input: { threadId: thread(1), memberId: member.actor.memberId },
    });
    expect(await idsOf({ status: "closed" })).toEqual([thread(0)]);
    expect(await idsOf({ status: "open" })).toEqual([thread(2), thread(1)]);
    expect(await idsOf({ assignee: "me" })).toEqual([thread(1)]);
    expect(await idsOf({ assignee: member.actor.memberId })).toEqual([thread(1)]);
    expect(await idsOf({ assignee: "nobody" })).toEqual([thread(2), thread(0)]);
    expect(await idsOf({ assignee: "no id" })).toEqual([]);
    expect(await idsOf({ channelId: channels[1] })).toEqual([thread(1)]);
    expect(await codeOf(list({ channelId: world.channelId }))).toBe("channel_forbidden");
  });

  test("that few match find them all, page by page", async () => {
    const { organizationId } = ctx.actor;
    await world.sql`
      with made as (
        insert into contacts (id, organization_id, name)
        select gen_random_uuid(), ${organizationId}, 'Many ' || i from generate_series(1, 5000) i returning id)
      insert into conversations (id, organization_id, contact_id, channel_id, last_activity_seq)
      select gen_random_uuid(), ${organizationId}, id, ${channels[0]}, 1e9 + row_number() over () from made`;
    await closeConversation({ ctx: member, input: { threadId: thread(0) } });
    const found: string[] = [];
    let pages = 0;
    let cursor: string | null | undefined;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({
        status: "closed",
        ...(cursor ? { cursor } : {}),
      });
      found.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
      pages++;
    } while (cursor !== null);
    expect(found).toEqual([thread(0)]);
    expect(pages).toBe(3);
  });
});

describe("a search", () => {
  test("finds by name, by number in any spelling and by its end, within the filters", async () => {
    const { handle, contactId } = conversations[1] ?? { handle: "", contactId: "" };
    await world.sql`update contacts set name = 'Zoë García' where id = ${contactId}`;
    const spelled = `+${handle.slice(0, 2)} (0)${handle.slice(2, 5)} / ${handle.slice(5)}`;
    for (const q of ["zoe", "garcia", spelled, handle.slice(-7), contactId])
      expect(await idsOf({ q }), q).toEqual([thread(1)]);
    expect(await idsOf({ q: "zoe", status: "closed" })).toEqual([]);
    expect(await idsOf({ q: "nobody of that name" })).toEqual([]);
  });

  test("finds the conversation that stayed with a merged contact, under the name of the person", async () => {
    const [one, other] = [conversations[0]?.contactId ?? "", conversations[2]?.contactId ?? ""];
    await world.sql`update contacts set name = 'Merged person' where id = ${other}`;
    await world.sql`update contacts set merged_into = ${other} where id = ${one}`;
    const { data } = await list({ q: "merged" });
    expect(data.map(({ id, customer }) => [id, customer.id])).toEqual([
      [thread(2), other],
      [thread(0), other],
    ]);
  });
});

test("parsed input has the page's limit", () => {
  expect(parseInput(listConversationsInput, {})).toEqual({ limit: 50 });
});

test("a customer who changed the number back is shown by it, wherever a customer is shown", async () => {
  const { contactId, handle, threadId } = await openConversation(ctx, channels[0], newHandle());
  const { organizationId } = ctx.actor;
  const former = newHandle();
  await world.sql`
    insert into contact_identities (id, organization_id, contact_id, kind, handle, canonical, current_since)
    values (gen_random_uuid(), ${organizationId}, ${contactId}, 'whatsapp', ${former}, ${former}, now() - interval '1 day')`;
  await world.sql`update contact_identities set current_since = now() where handle = ${handle}`;
  const opened = await getConversation({ ctx: member, input: { threadId } });
  const found = await searchContacts({ ctx: member, input: searchContactsInput.parse({ q: former }) });
  const contact = await getContact({ ctx, input: { contact_id: contactId } });
  expect({
    listed: (await list({ q: former })).data.map(({ customer }) => customer.number),
    opened: opened.customer.number,
    found: found.data.map(({ number }) => number),
    identities: contact.identities.map((identity) => identity.handle),
  }).toEqual({ listed: [handle], opened: handle, found: [handle], identities: [handle, former] });
});
