import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import { listChannels } from "@/server/domain/channels/list";
import type { Context } from "@/server/core/context";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { parseInput } from "@/server/core/input/parse-input";
import { getMessage } from "./get";
import { listMessages } from "./list";
import { listMessagesInput } from "./list-filter";
import {
  asKey,
  codeOf,
  type Conversation,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
} from "../testing";
import { sequenceAt } from "../model/sequence-at";

let world: SendWorld;
let ctx: Context<SystemActor>;
let channelId: string;
let conversation: Conversation;
/** Oldest first. */
let ids: string[];

beforeAll(async () => {
  world = await openSendWorld();
  ({ ctx, channelId } = world);
  conversation = await openConversation(ctx, channelId);
  ids = [];
  for (let count = 0; count < 7; count++) ids.push(await queueText(ctx, conversation.threadId));
  await world.sql`
    update messages m set created_at = now() - make_interval(secs => 10 - o.position)
    from unnest(${ids}::uuid[]) with ordinality as o (id, position) where m.id = o.id`;
});
afterAll(() => world.close());

type Query = Readonly<Record<string, string>>;

const list = (query: Query = {}, as: Context = ctx) =>
  listMessages({ ctx: as, input: parseInput(listMessagesInput, { ...query }) });
const idsOf = async (query: Query = {}, as: Context = ctx) =>
  (await list(query, as)).data.map((message) => message.message_id);

/** Reads all pages, one after the other. */
async function pages(query: Query, as: Context = ctx): Promise<string[][]> {
  const seen: string[][] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page = await list(cursor === "" ? query : { ...query, cursor }, as);
    seen.push(page.data.map((message) => message.message_id));
    cursor = page.next_cursor;
  }
  return seen;
}

describe("the list of messages", () => {
  test("shows each as it is shown alone, the newest first, and nothing but what was sent", async () => {
    const { data, next_cursor } = await list();
    expect(next_cursor).toBeNull();
    expect(data).toEqual(await Promise.all(ids.toReversed().map((id) => getMessage({ ctx, input: { id } }))));
  });

  test("comes in pages that hold every message once, though more are accepted meanwhile", async () => {
    const own = await createTestOrganization(world.services);
    const { threadId } = await openConversation(own, await connectTestChannel(own));
    const sent = [
      await queueText(own, threadId),
      await queueText(own, threadId),
      await queueText(own, threadId),
    ];
    const first = await list({ limit: "2" }, own);
    await queueText(own, threadId);
    const second = await list({ limit: "2", cursor: first.next_cursor ?? "" }, own);
    expect([first, second].map((page) => page.data.map((message) => message.message_id))).toEqual([
      [sent[2], sent[1]],
      [sent[0]],
    ]);
    expect(second.next_cursor).toBeNull();
    expect((await pages({ limit: "4" }, own)).map((page) => page.length)).toEqual([4]);
    expect((await pages({ limit: "3" }, own)).map((page) => page.length)).toEqual([3, 1]);
  });

  test("looks at a part of very many with each page, and shows each that matches once, whatever comes in", async () => {
    const own = await createTestOrganization(world.services);
    const { threadId } = await openConversation(own, await connectTestChannel(own));
    const store = (count: number, state: string) => world.sql`
      insert into messages (id, organization_id, conversation_id, contact_id, channel_id, kind, type, content, state)
      select gen_random_uuid(), v.organization_id, v.id, v.contact_id, v.channel_id, 'outbound', 'text', '{}',
        case when i % 4000 = 1 then ${state} else 'read' end
      from conversations v, generate_series(1, ${count}) i where v.id = ${threadId} order by i`;
    await store(24_000, "failed");
    const [{ expected } = { expected: [] }] = await world.sql<{ expected: string[] }[]>`
      select array_agg(id order by accept_seq desc) as expected from messages
      where organization_id = ${own.actor.organizationId} and state = 'failed'`;
    const seen: string[][] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page = await list({ state: "failed", ...(cursor === "" ? {} : { cursor }) }, own);
      seen.push(page.data.map((message) => message.message_id));
      await store(7, "failed");
      cursor = page.next_cursor;
    }
    expect(seen.flat()).toEqual(expected);
    expect(seen.length).toBe(3);
  });

  test("finds the message of a client_message_id, and none of another organization's", async () => {
    const [message] = (await list()).data;
    const clientId = message?.client_message_id ?? "";
    expect(await idsOf({ client_message_id: clientId })).toEqual([message?.message_id]);
    expect(await idsOf({ client_message_id: `${clientId} ` })).toEqual([]);
    expect(await idsOf({ client_message_id: clientId, state: "read" })).toEqual([]);
    const foreign = await createTestOrganization(world.services);
    expect(await idsOf({ client_message_id: clientId }, foreign)).toEqual([]);
    expect(await idsOf({}, foreign)).toEqual([]);
  });

  test("can be of one state, and of one channel, disabled ones included", async () => {
    const own = await createTestOrganization(world.services);
    const channels = [await connectTestChannel(own), await connectTestChannel(own)] as const;
    const [first, second] = [
      await openConversation(own, channels[0]),
      await openConversation(own, channels[1]),
    ];
    const [a, b] = [await queueText(own, first.threadId), await queueText(own, second.threadId)];
    await world.sql`update messages set state = 'delivered' where id = ${a}`;
    await world.sql`update channels set disabled_at = now() where id = ${channels[1]}`;
    expect(await idsOf({ state: "delivered" }, own)).toEqual([a]);
    expect(await idsOf({ state: "queued" }, own)).toEqual([b]);
    expect(await idsOf({ channel_id: channels[1].toUpperCase() }, own)).toEqual([b]);
    expect(await idsOf({ channel_id: channels[1], state: "delivered" }, own)).toEqual([]);
  });

  test("holds only the channels that a key may use; a filter by another one is refused like an unknown one", async () => {
    const second = await connectTestChannel(ctx);
    const key = await asKey(ctx, { channelIds: [second] });
    expect(await idsOf({}, key)).toEqual([]);
    const { client_message_id: clientId } = await getMessage({ ctx, input: { id: ids[0] ?? "" } });
    expect(await idsOf({ client_message_id: clientId ?? "" }, key)).toEqual([]);
    const foreign = await connectTestChannel(await createTestOrganization(world.services));
    for (const id of [channelId, randomUUID(), foreign]) {
      expect(await codeOf(list({ channel_id: id }, key))).toBe("channel_forbidden");
    }
    expect(await codeOf(list({ channel_id: foreign }))).toBe("channel_forbidden");
    expect(await codeOf(list({}, await asKey(ctx, { scopes: ["messages:send"] })))).toBe("missing_scope");
  });
});

describe("messages of a time", () => {
  /** Three hundred messages, ten a minute, the last one now. Every fifth is out of order by a minute. */
  async function history() {
    const own = await createTestOrganization(world.services);
    const channel = await connectTestChannel(own);
    const { threadId } = await openConversation(own, channel);
    await world.sql`
      insert into messages (id, organization_id, conversation_id, contact_id, channel_id, kind, type, content, state,
        created_at)
      select gen_random_uuid(), v.organization_id, v.id, v.contact_id, v.channel_id, 'outbound', 'text', '{}', 'read',
        date_trunc('second', now()) - make_interval(mins => 30, secs => -6 * i + case when i % 5 = 0 then 60 else 0 end)
      from conversations v, generate_series(1, 300) i where v.id = ${threadId} order by i`;
    const rows = await world.sql<{ id: string; createdAt: Date }[]>`
      select id, created_at as "createdAt" from messages
      where conversation_id = ${threadId} and kind = 'outbound' order by accept_seq desc`;
    return { own, rows };
  }

  test("are all of that time, also where their order isn't quite that of their times", async () => {
    const { own, rows } = await history();
    const times = rows.map((row) => row.createdAt.getTime()).sort((a, b) => a - b);
    const [since = 0, until = 0] = [times[100], times[200]];
    const query = {
      since: new Date(since).toISOString(),
      until: new Date(until).toISOString(),
      limit: "100",
    };
    const found = (await pages(query, own)).flat();
    const wanted = rows.filter(
      ({ createdAt }) => createdAt.getTime() >= since && createdAt.getTime() < until,
    );
    expect(found).toEqual(wanted.map((row) => row.id));
    expect(wanted.length).toBeGreaterThan(90);
  });

  test("are found between numbers that hold them all, and few others", async () => {
    const { own, rows } = await history();
    await world.sql`update messages set created_at = created_at - interval '3 hours'
      where organization_id = ${own.actor.organizationId} and accept_seq <= (
        select accept_seq from messages where id = ${rows[150]?.id ?? ""})`;
    const sequenceOf = async (index: number) => {
      const [row] = await world.sql<{ number: number }[]>`
        select accept_seq as number from messages where id = ${rows[index]?.id ?? ""}`;
      return row?.number ?? 0;
    };
    const midnight = new Date(Date.now() - 3_600_000);
    expect(await sequenceAt(own, midnight, "before")).toBe((await sequenceOf(150)) + 1);
    expect(await sequenceAt(own, midnight, "after")).toBe((await sequenceOf(150)) + 1);
    expect(await sequenceAt(own, new Date(Date.now() + 3_600_000), "before")).toBe((await sequenceOf(0)) + 1);
    const empty = await createTestOrganization(world.services);
    expect(await sequenceAt(empty, midnight, "after")).toBe(0);
    expect(await idsOf({ since: midnight.toISOString() }, empty)).toEqual([]);
  });

  test("can be said in any zone; an end is left out, a beginning taken in", async () => {
    const message = await getMessage({ ctx, input: { id: ids[3] ?? "" } });
    const at = message.created_at;
    expect(await idsOf({ since: at })).toEqual(ids.slice(3).toReversed());
    expect(await idsOf({ until: at })).toEqual(ids.slice(0, 3).toReversed());
    const inTokyo = new Date(Date.parse(at) + 9 * 3_600_000).toISOString().replace("Z", "+09:00");
    expect(await idsOf({ since: inTokyo })).toEqual(ids.slice(3).toReversed());
    expect(await idsOf({ since: "1970-01-01T00:00:00Z", until: "9999-12-29T00:00:00Z" })).toEqual(
      ids.toReversed(),
    );
  });
});

test("a page over very many that don't match ends, and the next goes on behind it, without one left out", async () => {
  const own = await createTestOrganization(world.services);
  const { threadId } = await openConversation(own, await connectTestChannel(own));
  const oldest = await queueText(own, threadId);
  await world.sql`
    insert into messages (id, organization_id, conversation_id, contact_id, channel_id, kind, type, content, state)
    select gen_random_uuid(), v.organization_id, v.id, v.contact_id, v.channel_id, 'outbound', 'text', '{}', 'read'
    from conversations v, generate_series(1, 20500) where v.id = ${threadId}`;
  const newest = await queueText(own, threadId);
  expect(await pages({ state: "queued" }, own)).toEqual([[newest], [], [oldest]]);
  expect(await pages({ state: "queued", limit: "1" }, own)).toEqual([[newest], [], [oldest]]);
});

describe("a query that is wrong", () => {
  const wrong: readonly (readonly [string, string])[] = [
    ["state", "sending"],
    ["state", ""],
    ["channel_id", "default"],
    ["client_message_id", ""],
    ["client_message_id", "x".repeat(129)],
    ["since", "yesterday"],
    ["since", "2026-01-01"],
    ["since", "0000-01-01T00:00:00Z"],
    ["until", "2026-13-01T00:00:00Z"],
    ["until", "9999-12-31T23:59:59-12:00"],
    ["limit", "0"],
    ["limit", "101"],
    ["limit", "1e1"],
    ["limit", "-1"],
    ["cursor", ""],
    ["cursor", "abc"],
    ["cursor", "WyIxIl0."],
    ["organization", "x"],
  ];
  test.each(wrong)("is refused by the name of its field: %s=%s", async (field, value) => {
    const error = async () => list({ [field]: value });
    await expect(error()).rejects.toMatchObject({ code: "validation_failed", field });
  });

  test("so is a cursor that was changed, or is another list's, or another organization's", async () => {
    const { next_cursor: cursor } = await list({ limit: "2" });
    if (cursor === null) throw new Error("There is one page only");
    for (let at = 0; at < cursor.length; at += 5) {
      const other = cursor[at] === "A" ? "B" : "A";
      const changed = cursor.slice(0, at) + other + cursor.slice(at + 1);
      expect(await codeOf(list({ cursor: changed }))).toBe("validation_failed");
    }
    expect(await codeOf(list({ cursor: `${cursor}.x` }))).toBe("validation_failed");
    expect(await codeOf(list({ cursor }, await createTestOrganization(world.services)))).toBe(
      "validation_failed",
    );
    expect(await codeOf(listChannels({ ctx, input: { limit: 1, cursor } }))).toBe("validation_failed");
  });
});
