import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "@/db/schema";
import type { MemberActor, SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { revokeKey } from "@/server/domain/keys/revoke";
import { asMember, connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { parseInput } from "@/server/core/input/parse-input";
import { searchMessages, searchMessagesInput } from "./search";
import { sendMessage } from "../send/send";
import {
  asKey,
  codeOf,
  type Conversation,
  newHandle,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
  textTo,
} from "../testing";

let world: SendWorld;
let ctx: Context<SystemActor>;
let member: Context<MemberActor>;
let channelId: string;
let conversation: Conversation;

beforeAll(async () => {
  world = await openSendWorld();
  ({ ctx, channelId } = world);
  member = await asMember(ctx, "agent");
  conversation = await openConversation(ctx, channelId);
});
afterAll(() => world.close());

type Query = Readonly<Record<string, string>>;

const search = (query: Query = {}, as: Context = member) =>
  searchMessages({ ctx: as, input: parseInput(searchMessagesInput, { ...query }) });
const idsOf = async (query: Query = {}, as: Context = member) =>
  (await search(query, as)).data.map(({ id }) => id);

/** A new organization, with one channel and a member. */
async function openOwn() {
  const own = await createTestOrganization(world.services);
  return { own, as: await asMember(own, "owner"), channel: await connectTestChannel(own, true) };
}

/** Stores an upstream report directly in the message's row. */
const change = (id: string, columns: Readonly<Record<string, unknown>>) =>
  world.sql`update messages set ${world.sql(columns)} where id = ${id}`;

describe("a message is found by what was typed, and the answer says what that was", () => {
  let id: string;
  let requestId: string;
  const clientMessageId = `order-${randomUUID()}`;
  const wamid = `wamid.${randomUUID()}`;

  beforeAll(async () => {
    const key = await asKey(ctx);
    requestId = newId();
    const sent = await sendMessage({
      ctx: { ...key, requestId },
      input: textTo(conversation.threadId, clientMessageId),
    });
    id = sent.message_id;
    await change(id, { upstream_id: wamid });
    // Others beside it, none of which may be found.
    const other = await openConversation(ctx, channelId);
    await queueText({ ...key, requestId: "another" }, other.threadId);
  });

  const typed = {
    message_id: () => id,
    client_message_id: () => clientMessageId,
    request_id: () => requestId,
    wamid: () => wamid,
    number: () =>
      `+${conversation.handle.slice(0, 2)} (0)${conversation.handle.slice(2, 5)} ${conversation.handle.slice(5)}`,
    contact_id: () => conversation.contactId,
    thread_id: () => conversation.threadId,
  } as const;

  test.each(Object.entries(typed))("%s", async (kind, text) => {
    for (const spelling of [text(), `  ${text()}\n`]) {
      const { data, matchedBy, next_cursor } = await search({ q: spelling });
      expect(data.map((row) => [row.id, row.matchedBy])).toEqual([[id, kind]]);
      expect(matchedBy).toEqual([kind]);
      expect(next_cursor).toBeNull();
    }
  });

  test("a UUID in capitals", async () => {
    for (const text of [id, requestId, conversation.contactId, conversation.threadId]) {
      expect(await idsOf({ q: text.toUpperCase() })).toEqual([id]);
    }
  });

  test("a `client_message_id` with white space around it, and one that looks like a number", async () => {
    const spaced = await sendMessage({ ctx, input: textTo(conversation.threadId, " spaced ") });
    expect(await idsOf({ q: " spaced " })).toEqual([spaced.message_id]);
    const digits = newHandle();
    const numbered = await openConversation(ctx, channelId, digits);
    const [one, other] = [await queueText(ctx, numbered.threadId), conversation.threadId];
    const named = await sendMessage({ ctx, input: textTo(other, digits) });
    const found = await search({ q: digits });
    expect(found.data.map((row) => [row.id, row.matchedBy])).toEqual([
      [named.message_id, "client_message_id"],
      [one, "number"],
    ]);
    expect(found.matchedBy).toEqual(["client_message_id", "number"]);
    expect(await idsOf({ q: digits, by: "client_message_id" })).toEqual([named.message_id]);
    expect(await idsOf({ q: digits, by: "number" })).toEqual([one]);
    expect(await idsOf({ q: digits, by: "request_id" })).toEqual([]);
  });

  test("only within the organization", async () => {
    const { as } = await openOwn();
    for (const text of Object.values(typed)) {
      expect(await search({ q: text() }, as)).toMatchObject({ data: [], matchedBy: [], next_cursor: null });
    }
  });

  test("nothing by what nothing has, whatever it looks like", async () => {
    const nothing = ["4711", "x", "wamid.none", randomUUID(), "015100000000", "' or 1=1 --", "%", "_", "\\"];
    for (const q of nothing) expect(await search({ q })).toMatchObject({ data: [], matchedBy: [] });
  });

  test("never one that a customer wrote", async () => {
    const [row] = await world.sql<{ id: string }[]>`
      select id from messages where conversation_id = ${conversation.threadId} and kind = 'inbound'`;
    expect(row).toBeDefined();
    expect(await idsOf({ q: row?.id ?? "" })).toEqual([]);
  });

  test("that the filter hides, the text is still said to be", async () => {
    expect(await search({ q: id, state: "failed" })).toMatchObject({ data: [], matchedBy: ["message_id"] });
  });
});

describe("a number leads to all messages to whoever has it", () => {
  test("in Brazil's, Mexico's and Argentina's other form, and without the country's code", async () => {
    const numbers = [
      { handle: "5511987654321", typed: ["+55 11 8765-4321", "11 98765-4321", "98765-4321"] },
      { handle: "525512345678", typed: ["+52 1 55 1234 5678", "1 55 1234 5678", "55 1234 5678"] },
      { handle: "5491112345678", typed: ["+54 11 1234-5678", "9 11 1234-5678", "11 1234 5678"] },
    ];
    for (const { handle, typed } of numbers) {
      const { threadId } = await openConversation(ctx, channelId, handle);
      const id = await queueText(ctx, threadId);
      for (const q of typed) expect([q, await idsOf({ q })]).toEqual([q, [id]]);
    }
  });

  test("on every channel, newest first, page by page, each once, though more are accepted meanwhile", async () => {
    const { own, as, channel } = await openOwn();
    const handle = newHandle();
    const other = await connectTestChannel(own);
    const [one, two] = [
      await openConversation(own, channel, handle),
      await openConversation(own, other, handle),
    ];
    const sent = [];
    for (const { threadId } of [one, two, one, two, one]) sent.push(await queueText(own, threadId));
    const first = await search({ q: handle, limit: "2" }, as);
    await queueText(own, one.threadId);
    const second = await search({ q: handle, limit: "2", cursor: first.next_cursor ?? "" }, as);
    const third = await search({ q: handle, limit: "2", cursor: second.next_cursor ?? "" }, as);
    expect([first, second, third].map(({ data }) => data.map(({ id }) => id))).toEqual([
      [sent[4], sent[3]],
      [sent[2], sent[1]],
      [sent[0]],
    ]);
    expect(third.next_cursor).toBeNull();
  });

  test("also those that were sent before two contacts turned out to be one person", async () => {
    const { own, as, channel } = await openOwn();
    const kept = await openConversation(own, channel);
    const merged = await openConversation(own, channel);
    const ids = [await queueText(own, merged.threadId), await queueText(own, kept.threadId)];
    await world.sql`update contacts set merged_into = ${kept.contactId} where id = ${merged.contactId}`;
    await world.sql`update contact_identities set contact_id = ${kept.contactId} where contact_id = ${merged.contactId}`;
    for (const q of [merged.handle, kept.handle, merged.contactId, kept.contactId]) {
      expect(await idsOf({ q }, as)).toEqual(ids.toReversed());
    }
  });

  test("of hundreds of contacts with that end it looks at a hundred, and says so", async () => {
    const { own, as } = await openOwn();
    await world.sql`
      with made as (
        insert into contacts (id, organization_id) select gen_random_uuid(), ${own.actor.organizationId}
        from generate_series(1, 150) returning id)
      insert into contact_identities (id, organization_id, contact_id, kind, handle, canonical)
      select gen_random_uuid(), ${own.actor.organizationId}, id, 'whatsapp', n || '555000111', n || '555000111'
      from (select id, 4000 + row_number() over () as n from made) numbered`;
    expect(await search({ q: "000111" }, as)).toMatchObject({ isCut: true, matchedBy: [] });
    expect(await search({ q: "4001555000111" }, as)).toMatchObject({ isCut: false });
  });
});

describe("filters", () => {
  let as: Context<MemberActor>;
  let own: Context<SystemActor>;
  let channels: string[];
  let keys: Awaited<ReturnType<typeof asKey>>[];
  /** By kind. */
  const ids = new Map<string, string>();
  const idOf = (name: string) => ids.get(name) ?? "";

  beforeAll(async () => {
    const opened = await openOwn();
    ({ own, as } = opened);
    channels = [opened.channel, await connectTestChannel(own)];
    keys = [await asKey(own), await asKey(own)];
    const states = {
      queued: {},
      unconfirmed: { in_doubt_since: new Date() },
      sent: { state: "sent", sent_at: new Date() },
      delivered: { state: "delivered" },
      read: { state: "read" },
      rejected: { state: "failed", error_code: "upstream_rejected", failed_at: new Date() },
      undeliverable: { state: "failed", error_code: "undeliverable", failed_at: new Date() },
    };
    for (const [place, [name, columns]] of Object.entries(states).entries()) {
      const thread = await openConversation(own, channels[place % 2] ?? "");
      const key = keys[place % 2] ?? own;
      const id = await queueText(place === 6 ? as : key, thread.threadId);
      if (Object.keys(columns).length > 0) await change(id, columns);
      await change(id, { created_at: new Date(Date.UTC(2026, 0, 1 + place)) });
      ids.set(name, id);
    }
  });

  const found = async (query: Query) => {
    const names = new Map([...ids].map(([name, id]) => [id, name]));
    return (await idsOf(query, as)).map((id) => names.get(id));
  };

  test("none finds all, the newest first", async () => {
    expect(await found({})).toEqual([...ids.keys()].toReversed());
  });

  test.each<{ query: Query; names: string[] }>([
    { query: { state: "queued" }, names: ["unconfirmed", "queued"] },
    { query: { state: "unconfirmed" }, names: ["unconfirmed"] },
    { query: { state: "sent" }, names: ["sent"] },
    { query: { state: "delivered" }, names: ["delivered"] },
    { query: { state: "read" }, names: ["read"] },
    { query: { state: "failed" }, names: ["undeliverable", "rejected"] },
    { query: { errorCode: "undeliverable" }, names: ["undeliverable"] },
    { query: { errorCode: "undeliverable", state: "read" }, names: [] },
    { query: { since: "2026-01-06T00:00:00Z" }, names: ["undeliverable", "rejected"] },
    { query: { until: "2026-01-02T00:00:00Z" }, names: ["queued"] },
    { query: { since: "2026-01-02T01:00:00+01:00", until: "2026-01-03T00:00:00Z" }, names: ["unconfirmed"] },
  ])("$query", async ({ query, names }) => {
    expect(await found(query)).toEqual(names);
  });

  test("by channel and by key, in any writing of their ids, and all together", async () => {
    const [even = "", odd = ""] = channels;
    expect(await found({ channelId: even.toUpperCase() })).toEqual([
      "undeliverable",
      "read",
      "sent",
      "queued",
    ]);
    const keyId = keys[0]?.actor.keyId ?? "";
    expect(await found({ keyId: keyId.toUpperCase() })).toEqual(["read", "sent", "queued"]);
    expect(await found({ keyId, channelId: even, state: "read" })).toEqual(["read"]);
    expect(await found({ keyId, channelId: odd })).toEqual([]);
    expect(await found({ q: idOf("read"), channelId: odd })).toEqual([]);
  });

  test("another organization's channel or key is refused like an unknown one", async () => {
    const foreign = await asKey(ctx);
    const refused = (query: Query) => codeOf(search(query, as));
    for (const id of [foreign.actor.keyId, randomUUID()])
      expect(await refused({ keyId: id })).toBe("key_not_found");
    for (const id of [channelId, randomUUID()])
      expect(await refused({ channelId: id })).toBe("channel_forbidden");
  });

  test("of a revoked key and a disabled channel still find what was sent", async () => {
    const { own: late, as: person, channel } = await openOwn();
    const key = await asKey(late);
    const id = await queueText(key, (await openConversation(late, channel)).threadId);
    await revokeKey({ ctx: late, input: { keyId: key.actor.keyId } });
    await world.sql`update channels set disabled_at = now() where id = ${channel}`;
    const [row] = (await search({ keyId: key.actor.keyId, channelId: channel }, person)).data;
    expect(row).toMatchObject({ id, channel: { isDisabled: true }, waitsForChannel: true });
  });

  test("a cursor is of use for this organization and this list only", async () => {
    const { next_cursor } = await search({ limit: "1" }, as);
    expect(await codeOf(search({ cursor: next_cursor ?? "" }))).toBe("validation_failed");
  });
});
