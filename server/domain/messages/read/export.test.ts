import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MemberActor, SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { asMember, connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { parseInput } from "@/server/core/input/parse-input";
import { exportMessages } from "./export";
import { searchMessages, searchMessagesInput } from "./search";
import { searchFilterSchema } from "./search-filter";
import { sendMessage } from "../send/send";
import {
  asKey,
  codeOf,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
  textTo,
} from "../testing";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld()));
afterAll(() => world.close());

type Query = Readonly<Record<string, string>>;

const search = (query: Query, as: Context) =>
  searchMessages({ ctx: as, input: parseInput(searchMessagesInput, { ...query }) });

/** A new organization, with one channel and a member. */
async function openOwn() {
  const own = await createTestOrganization(world.services);
  return { own, as: await asMember(own, "owner"), channel: await connectTestChannel(own, true) };
}

describe("among very many", () => {
  let own: Context<SystemActor>;
  let as: Context<MemberActor>;
  let threads: string[];

  beforeAll(async () => {
    const opened = await openOwn();
    ({ own, as } = opened);
    threads = [];
    for (let count = 0; count < 2; count++)
      threads.push((await openConversation(own, opened.channel)).threadId);
    await store(24_000);
  });

  /** Nearly all read, alternating between two conversations; one in 4000 is only delivered. */
  const store = (count: number) => world.sql`
    insert into messages (id, organization_id, conversation_id, contact_id, channel_id, kind, type, content, state)
    select gen_random_uuid(), v.organization_id, v.id, v.contact_id, v.channel_id, 'outbound', 'text', '{}',
      case when i % 4000 = 1 then 'delivered' else 'read' end
    from generate_series(1, ${count}) i
    join unnest(${threads}::uuid[]) with ordinality as t (id, place) on t.place - 1 = i % 2
    join conversations v on v.id = t.id
    order by i`;

  /** Reads all pages, with new messages arriving in between. */
  async function pages(query: Query) {
    const seen: string[][] = [];
    const back: (Date | null)[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page = await search({ ...query, ...(cursor === "" ? {} : { cursor }) }, as);
      seen.push(page.data.map(({ id }) => id));
      back.push(page.lookedBackTo);
      cursor = page.next_cursor;
      await store(2);
    }
    return { seen, back };
  }

  test.each([
    ["the organization's", () => ({})],
    ["from a customer", () => ({ q: threads[1] ?? "" })],
  ])(
    "%s messages are looked through in parts; each that matches is shown once, and how far back is said",
    async (_, query) => {
      const [{ expected } = { expected: [] }] = await world.sql<{ expected: string[] }[]>`
      select array_agg(id order by accept_seq desc) as expected from messages
      where organization_id = ${own.actor.organizationId} and state = 'delivered'`;
      const { seen, back } = await pages({ ...query(), state: "delivered" });
      expect(seen.flat()).toEqual(expected);
      expect(seen.length).toBeGreaterThan(1);
      expect(back.slice(0, -1).every((time) => time instanceof Date)).toBe(true);
      expect(back.at(-1)).toBeNull();
    },
  );

  test("an export has them all, once, and stops when its reader leaves", async () => {
    const input = parseInput(searchFilterSchema, { state: "delivered" });
    const lines = async (most: number) => {
      const read: string[] = [];
      for await (const chunk of exportMessages({ ctx: as, input: parseInput(searchFilterSchema, {}) })) {
        read.push(...chunk.trimEnd().split("\r\n"));
        if (read.length >= most) break;
      }
      return read;
    };
    expect((await lines(1_000)).length).toBeLessThan(2_000);
    const chunks: string[] = [];
    for await (const chunk of exportMessages({ ctx: as, input })) chunks.push(chunk);
    const [header = "", ...rows] = chunks.join("").trimEnd().split("\r\n");
    expect(header).toMatch(/^\uFEFFmessage_id,client_message_id,state,/);
    const found = await pages({ state: "delivered" });
    expect(rows.map((row) => row.slice(0, 36)).every((id) => found.seen.flat().includes(id))).toBe(true);
    expect(new Set(rows).size).toBe(rows.length);
    expect(rows.length).toBeGreaterThanOrEqual(6);
  });
});

describe("an export", () => {
  async function csvFor(as: Context, q: string): Promise<string> {
    let text = "";
    for await (const chunk of exportMessages({ ctx: as, input: parseInput(searchFilterSchema, { q }) }))
      text += chunk;
    return text;
  }

  /** Returns the rows by message id, each cell by its column. */
  async function exported(as: Context, q: string) {
    const [head = [], ...rows] = (await csvFor(as, q))
      .replace("\uFEFF", "")
      .trimEnd()
      .split("\r\n")
      .map(cellsOf);
    return new Map(
      rows.map((cells) => [cells[0], Object.fromEntries(head.map((name, at) => [name, cells[at]]))]),
    );
  }

  const cellsOf = (line: string) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? "",
    );

  test("has what the filter finds, without what messages say, and no formula", async () => {
    const { own, as, channel } = await openOwn();
    const key = await asKey(own, { name: "=cmd()" });
    const { threadId, handle } = await openConversation(own, channel);
    const { message_id: id } = await sendMessage({ ctx: key, input: textTo(threadId, "+order") });
    await queueText(own, (await openConversation(own, channel)).threadId);
    const text = await csvFor(as, handle);
    expect(text.trimEnd().split("\r\n")).toHaveLength(2);
    expect(text).toContain(`\r\n${id},'+order,queued,text,${handle},`);
    expect(text).toContain(`,key,${key.actor.keyId},'=cmd(),`);
    expect(text).not.toContain("Good morning");
  });

  test("says the request, WhatsApp's id and what to do, and of what was sent again that it was", async () => {
    const { own, as, channel } = await openOwn();
    const { threadId, handle } = await openConversation(own, channel);
    const [failed, again, pending, due] = [
      await queueText(own, threadId),
      await queueText(own, threadId),
      await queueText(own, threadId),
      await queueText(own, threadId),
    ];
    await world.sql`
      update messages set state = 'failed', error_code = 'expired', failed_at = now(), next_attempt_at = null
      where id in (${failed}, ${again})`;
    await world.sql`update messages set request_id = 'req-1', upstream_id = 'wamid.1' where id = ${failed}`;
    await world.sql`update messages set resend_of = ${again} where id = ${due}`;
    await world.sql`update messages set in_doubt_since = now() where id = ${pending}`;
    const rows = await exported(as, handle);
    expect(rows.get(failed)).toMatchObject({
      request_id: "req-1",
      wamid: "wamid.1",
      resend: "safe",
      what_to_do: expect.stringMatching(/^If it is still relevant, send it again/),
    });
    expect(rows.get(again)).toMatchObject({
      resend: "may_duplicate",
      what_to_do: expect.stringMatching(/^This message was already sent again/),
    });
    expect(rows.get(pending)).toMatchObject({
      resend: "",
      what_to_do: expect.stringMatching(/^Wait for the confirmation/),
    });
    expect(rows.get(due)).toMatchObject({ request_id: "", wamid: "", what_to_do: "" });
  });

  test("is refused before its first chunk, where the filter isn't the organization's or the reader is a key", async () => {
    const first = (as: Context, filter: object) =>
      exportMessages({ ctx: as, input: parseInput(searchFilterSchema, filter) }).next();
    const member = await asMember(world.ctx, "agent");
    expect(await codeOf(first(member, { channelId: randomUUID() }))).toBe("channel_forbidden");
    expect(await codeOf(first(await asKey(world.ctx), {}))).toBe("permission_denied");
  });
});
