import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/db/testing";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { countContacts, searchContacts, searchContactsInput } from "@/server/domain/contacts/search";
import { createKey } from "@/server/domain/keys/create";
import { inspectMessage } from "@/server/domain/messages/read/inspect";
import {
  countMessages,
  countMessagesInput,
  searchMessages,
  searchMessagesInput,
} from "@/server/domain/messages/read/search";
import { connectTestChannel } from "@/server/domain/organizations/testing";
import { parseInput } from "@/server/core/input/parse-input";
import type { RanStatement } from "./plans";
import { type GrowthWorld, openGrowthWorld } from "./world";

/** The large organization has seven tenths of them. */
const MESSAGES = 1_000_000;
/** A page examines at most ten thousand rows, and about fifty named ones. The organization has far more. */
const BLOCKS_MAX = 15_000;

interface Sample {
  readonly id: string;
  readonly clientMessageId: string;
  readonly requestId: string;
  readonly upstreamId: string;
  readonly recipient: string;
  readonly contactId: string;
  /** `Customer` and a number. */
  readonly contactName: string;
  readonly threadId: string;
  readonly createdAt: Date;
}

let database: TestDatabase;
let dataDir: string;
let world: GrowthWorld;
let ctx: Context<SystemActor>;
let sample: Sample;
/** Nothing was sent with these. */
let unused: { keyId: string; channelId: string };

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "waypost-search-"));
  world = await openGrowthWorld({ address: database.connection, appRoot: process.cwd(), dataDir });
  await world.growTo(MESSAGES);
  const { organizationId } = world.key.actor;
  ctx = { ...world.key, actor: { kind: "system", organizationId, job: "search-test" } };
  const key = await createKey({ ctx, input: { name: "Unused" } });
  unused = { keyId: key.id, channelId: await connectTestChannel(ctx) };
  sample = await makeSample();
});

afterAll(async () => {
  await world.close();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

/** Adds an old message that every kind of search can find, and a few rare ones. */
async function makeSample(): Promise<Sample> {
  const { organizationId } = world.key.actor;
  const rare = (columns: string, where: string, count: number) =>
    world.admin.unsafe(
      `update messages set ${columns} where id in (
        select id from messages where organization_id = $1 and accept_seq > 0 and ${where} order by accept_seq limit ${count})`,
      [organizationId],
    );
  await rare("error_code = 'expired'", "state = 'failed'", 20);
  await rare("in_doubt_since = now()", "state = 'queued'", 5);
  await rare("request_id = left(id::text, 24) || '000000000000'", "upstream_id is not null", 1);
  const [row] = await world.admin<Sample[]>`
    select id, client_message_id as "clientMessageId", request_id as "requestId", upstream_id as "upstreamId", recipient,
      contact_id as "contactId", conversation_id as "threadId", created_at as "createdAt",
      (select name from contacts k where k.id = contact_id) as "contactName"
    from messages where organization_id = ${organizationId} and accept_seq > 0 and request_id like '%000000000000'
    order by accept_seq limit 1`;
  if (row === undefined) throw new Error("There is no message");
  await world.admin`analyze messages`;
  return row;
}

type Query = Readonly<Record<string, string>>;

const search = (query: Query) =>
  searchMessages({ ctx, input: parseInput(searchMessagesInput, { ...query }) });

/** Returns the statements, once all caches are warm. */
async function statementsOf(act: () => Promise<unknown>): Promise<readonly RanStatement[]> {
  await act();
  world.statements.take();
  await act();
  return world.statements.take();
}

function report(title: string, statements: readonly RanStatement[]): void {
  const lines = statements.map(
    ({ durationMs, blocks, plan }) =>
      `  ${durationMs.toFixed(1)} ms, ${blocks} blocks: ${plan.filter((step) => / on /.test(step)).join("; ")}`,
  );
  process.stdout.write(`${title}\n${lines.join("\n")}\n`);
}

/** Prints the statements, and returns those that read too much. Their duration depends on what else the machine does. */
async function expensiveIn(title: string, act: () => Promise<unknown>): Promise<readonly RanStatement[]> {
  const statements = await statementsOf(act);
  if (statements.length === 0) throw new Error("PostgreSQL wasn't asked");
  report(title, statements);
  return statements.filter(
    ({ blocks, plan }) => blocks > BLOCKS_MAX || plan.includes("Seq Scan on messages"),
  );
}

const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString();

describe("among a million messages PostgreSQL reads few blocks, and not the whole organization", () => {
  test.each<{ title: string; query: () => Query }>([
    { title: "the list", query: () => ({}) },
    ...["queued", "sent", "delivered", "read", "failed", "unconfirmed"].map((state) => ({
      title: `state ${state}`,
      query: () => ({ state }),
    })),
    { title: "a frequent code", query: () => ({ errorCode: "upstream_rejected" }) },
    { title: "a rare code, all of it long ago", query: () => ({ errorCode: "expired" }) },
    { title: "a code that nothing has", query: () => ({ errorCode: "contact_erased" }) },
    { title: "a channel", query: () => ({ channelId: world.channelId }) },
    { title: "a channel without messages", query: () => ({ channelId: unused.channelId }) },
    { title: "a key", query: () => ({ keyId: world.key.actor.keyId }) },
    { title: "a key without messages", query: () => ({ keyId: unused.keyId }) },
    { title: "failed, of a key without messages", query: () => ({ state: "failed", keyId: unused.keyId }) },
    { title: "a day of long ago", query: () => ({ since: day(41), until: day(40) }) },
    {
      title: "failed, a day of long ago",
      query: () => ({ state: "failed", since: day(41), until: day(40) }),
    },
    { title: "a day without messages", query: () => ({ since: day(400), until: day(399) }) },
  ])("filter: $title", async ({ title, query }) => {
    expect(await expensiveIn(title, () => search(query()))).toEqual([]);
  });

  test("the page behind a page of long ago", async () => {
    const { next_cursor } = await search({ until: day(30), limit: "1" });
    expect(await expensiveIn("a page further back", () => search({ cursor: next_cursor ?? "" }))).toEqual([]);
  });

  test.each<{ kind: string; text: () => string }>([
    { kind: "message_id", text: () => sample.id },
    { kind: "client_message_id", text: () => sample.clientMessageId },
    { kind: "request_id", text: () => sample.requestId },
    { kind: "wamid", text: () => sample.upstreamId },
    { kind: "number", text: () => `+${sample.recipient}` },
    { kind: "number", text: () => sample.recipient.slice(-7) },
    { kind: "number", text: () => sample.recipient.slice(-6) },
    { kind: "contact_id", text: () => sample.contactId },
    { kind: "thread_id", text: () => sample.threadId },
  ])("search: $kind", async ({ kind, text }) => {
    const { data, matchedBy } = await search({ q: text() });
    expect(matchedBy).toEqual([kind]);
    expect(data.length).toBeGreaterThan(0);
    expect(await expensiveIn(`${kind} ${text()}`, () => search({ q: text() }))).toEqual([]);
  });

  test.each([
    "order-4711",
    "wamid.none",
    "00000000-0000-7000-8000-000000000000",
    "999999",
    "+1 999 999 9999",
  ])("search: %s, which nothing has", async (q) => {
    expect((await search({ q })).data).toEqual([]);
    expect(await expensiveIn(`nothing: ${q}`, () => search({ q }))).toEqual([]);
  });

  test("a number together with a filter", async () => {
    expect(
      await expensiveIn("a number, failed", () => search({ q: sample.recipient, state: "failed" })),
    ).toEqual([]);
  });

  test("the page of a message", async () => {
    expect(
      await expensiveIn("inspect", () => inspectMessage({ ctx, input: { messageId: sample.id } })),
    ).toEqual([]);
  });
});

describe("counting what a list has reads no more than a page", () => {
  const count = (query: Query) => countMessages({ ctx, input: parseInput(countMessagesInput, { ...query }) });

  test.each<{ title: string; query: () => Query; total: object }>([
    { title: "all", query: () => ({}), total: { count: 1_000, isMore: true } },
    { title: "failed", query: () => ({ state: "failed" }), total: { count: 1_000, isMore: true } },
    { title: "a rare code", query: () => ({ errorCode: "expired" }), total: { count: 20, isMore: false } },
    { title: "a channel", query: () => ({ channelId: world.channelId }), total: { isMore: true } },
    {
      title: "a key without messages",
      query: () => ({ keyId: unused.keyId }),
      total: { count: 0, isMore: true },
    },
    {
      title: "a day of long ago",
      query: () => ({ since: day(41), until: day(40) }),
      total: { isMore: true },
    },
    { title: "a number", query: () => ({ q: `+${sample.recipient}` }), total: { isMore: false } },
    { title: "digits that nobody has", query: () => ({ q: "999999" }), total: { count: 0, isMore: false } },
  ])("messages: $title", async ({ title, query, total }) => {
    expect(await count(query())).toMatchObject(total);
    expect(await expensiveIn(`total of ${title}`, () => count(query()))).toEqual([]);
  });

  test.each<{ title: string; q?: string }>([{ title: "all" }, { title: "a frequent name", q: "Customer" }])(
    "contacts: $title",
    async ({ title, q }) => {
      const input = q === undefined ? {} : { q };
      expect(await countContacts({ ctx, input })).toMatchObject({ isMore: true });
      expect(await expensiveIn(`total of contacts: ${title}`, () => countContacts({ ctx, input }))).toEqual(
        [],
      );
    },
  );
});

describe("among their contacts PostgreSQL reads few blocks too", () => {
  const contacts = (query: Query) =>
    searchContacts({ ctx, input: parseInput(searchContactsInput, { ...query }) });

  test.each<{ title: string; query: () => Query; isFound: boolean }>([
    { title: "the list", query: () => ({}), isFound: true },
    { title: "what every name begins with", query: () => ({ q: "Customer" }), isFound: true },
    { title: "a whole name", query: () => ({ q: "customer 17" }), isFound: true },
    {
      title: "words in another order",
      query: () => ({ q: sample.contactName.split(" ").toReversed().join(" ").slice(0, -5) }),
      isFound: true,
    },
    { title: "a name that nobody has", query: () => ({ q: "Zelda" }), isFound: false },
    { title: "a number", query: () => ({ q: `+${sample.recipient}` }), isFound: true },
    { title: "a number's last digits", query: () => ({ q: sample.recipient.slice(-6) }), isFound: true },
    { title: "an id", query: () => ({ q: sample.contactId }), isFound: true },
  ])("$title", async ({ title, query, isFound }) => {
    const { data } = await contacts(query());
    expect(data.length > 0).toBe(isFound);
    expect(await expensiveIn(`contacts: ${title}`, () => contacts(query()))).toEqual([]);
  });
});
