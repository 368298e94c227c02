import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SqlFragment } from "@/db/client";
import { createTestDatabase, type TestDatabase } from "@/db/testing";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { personNamed } from "@/server/adapters/whatsapp/person";
import { renamePerson } from "@/server/domain/contacts/rename";
import { getConversation } from "@/server/domain/support/get";
import { listConversations, listConversationsInput } from "@/server/domain/support/list";
import { readConversationTimeline, timelineInput } from "@/server/domain/support/timeline";
import type { RanStatement } from "./plans";
import { type GrowthWorld, openGrowthWorld } from "./world";

const CONVERSATIONS = 100_000;
const MESSAGES_IN_ONE = 10_000;
/** Changes of its state: half of them before its messages, half after. */
const ACTS_IN_ONE = 10_000;
/** A page has 50 rows, each with a few lookups. */
const BLOCKS_OF_PAGE_MAX = 3_000;
/** A page that filters examines at most 2,000 conversations of each channel. */
const BLOCKS_OF_FILTER_MAX = 15_000;

let database: TestDatabase;
let dataDir: string;
let world: GrowthWorld;
let ctx: Context<SystemActor>;
/** The conversation with all the messages. */
let threadId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "waypost-conversations-"));
  world = await openGrowthWorld({ address: database.connection, appRoot: process.cwd(), dataDir });
  await world.growTo(1_000);
  const { organizationId } = world.key.actor;
  ctx = { ...world.key, actor: { kind: "system", organizationId, job: "conversations-test" } };
  await addConversations(organizationId);
  threadId = await addMessages(organizationId);
  await addActs(organizationId);
  for (const table of ["audit_log", "contacts", "contact_identities", "conversations", "messages"])
    await world.admin`vacuum (analyze) ${world.admin(table)}`;
});

afterAll(async () => {
  await world.close();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

/** Each with a number and one message. */
async function addConversations(organizationId: string): Promise<void> {
  await world.admin`
    with made as (
      insert into contacts (id, organization_id, name)
      select gen_random_uuid(), ${organizationId}, 'Many ' || i from generate_series(1, ${CONVERSATIONS}::int) i
      returning id, name
    ), numbered as (
      insert into contact_identities (id, organization_id, contact_id, kind, handle, canonical)
      select gen_random_uuid(), ${organizationId}, id, 'whatsapp', number, number
      from (select id, '4917' || lpad(substr(name, 6), 9, '0') as number from made) n
    ), opened as (
      insert into conversations (id, organization_id, contact_id, channel_id)
      select gen_random_uuid(), ${organizationId}, id, ${world.channelId} from made returning id, contact_id
    ), written as (
      insert into messages (id, organization_id, conversation_id, contact_id, channel_id, kind, type, content)
      select gen_random_uuid(), ${organizationId}, id, contact_id, ${world.channelId}, 'inbound', 'text',
        '{"text": {"body": "Hello"}}' from opened
      returning 1
    ) select count(*) from written`;
  await world.admin`
    update conversations v set last_activity_seq = m.accept_seq, last_message_at = m.created_at
    from messages m where m.conversation_id = v.id and v.last_activity_seq = 0`;
}

/** Every tenth one reacts to the message before it. */
async function addMessages(organizationId: string): Promise<string> {
  const [thread] = await world.admin<{ id: string }[]>`
    select id from conversations where organization_id = ${organizationId} order by last_activity_seq desc limit 1`;
  if (thread === undefined) throw new Error("There is no conversation");
  await world.admin`
    insert into messages (id, organization_id, conversation_id, contact_id, channel_id, kind, type, content, upstream_id)
    select gen_random_uuid(), v.organization_id, v.id, v.contact_id, v.channel_id, 'inbound',
      case when i % 10 = 0 then 'reaction' else 'text' end,
      case when i % 10 = 0
        then jsonb_build_object('reaction', jsonb_build_object('emoji', '👍', 'upstream_id', 'wamid.' || i - 1))
        else '{"text": {"body": "Hello"}}' end,
      'wamid.' || i
    from conversations v, generate_series(1, ${MESSAGES_IN_ONE}::int) i where v.id = ${thread.id} order by i`;
  await world.admin`
    update conversations set last_activity_seq = (select max(accept_seq) from messages where conversation_id = ${thread.id})
    where id = ${thread.id}`;
  return thread.id;
}

/** One for each conversation, and many for the one with the messages. */
async function addActs(organizationId: string): Promise<void> {
  const add = (from: SqlFragment) => world.admin`
    insert into audit_log (id, organization_id, actor_kind, actor_id, action, subject_kind, subject_id, created_at)
    select gen_random_uuid(), ${organizationId}, 'system', 'test', 'conversation.closed', 'conversation', v.id,
      v.last_message_at + i * interval '1 second' from ${from}`;
  const { admin } = world;
  await add(admin`(select *, 0 as i from conversations where organization_id = ${organizationId}) v`);
  const half = ACTS_IN_ONE / 2;
  await add(admin`
    (select * from conversations where id = ${threadId}) v, generate_series(${-half}::int, ${half}::int) i`);
}

/** Returns the statements, once all caches are warm. */
async function statementsOf(act: () => Promise<unknown>): Promise<readonly RanStatement[]> {
  await act();
  world.statements.take();
  await act();
  const statements = world.statements.take();
  if (statements.length === 0) throw new Error("PostgreSQL wasn't asked");
  return statements;
}

const blocksOf = async (act: () => Promise<unknown>) =>
  (await statementsOf(act)).reduce((sum, { blocks }) => sum + blocks, 0);

const list = (input: object = {}) => listConversations({ ctx, input: listConversationsInput.parse(input) });
const timeline = (input: { cursor?: string } = {}) =>
  readConversationTimeline({ ctx, input: parseInput(timelineInput, { threadId, ...input }) });

test.each<{ title: string; input: Readonly<Record<string, string>> }>([
  { title: "the first page", input: {} },
  { title: "a name", input: { q: "many 4711" } },
  { title: "a number", input: { q: "+49 17 000004711" } },
  { title: "a state that all have", input: { status: "open" } },
])("of 100,000 conversations, $title reads few blocks", async ({ input }) => {
  expect((await list(input)).data.length).toBeGreaterThan(0);
  expect(await blocksOf(() => list(input))).toBeLessThan(BLOCKS_OF_PAGE_MAX);
});

test("a page far down reads as few", async () => {
  let cursor: string | null = null;
  for (let page = 0; page < 20; page++)
    cursor = (await list({ limit: "100", ...(cursor === null ? {} : { cursor }) })).next_cursor;
  expect(await blocksOf(() => list({ cursor: cursor ?? "" }))).toBeLessThan(BLOCKS_OF_PAGE_MAX);
});

test("a state that none has is searched part by part", async () => {
  const { data, next_cursor: next } = await list({ status: "closed" });
  expect(data).toEqual([]);
  expect(next).not.toBeNull();
  expect(await blocksOf(() => list({ status: "closed" }))).toBeLessThan(BLOCKS_OF_FILTER_MAX);
});

test("of 10,000 messages, the newest page and an old one with its reactions read few blocks", async () => {
  const newest = await timeline();
  expect(newest.data.filter(({ kind }) => kind === "message").length).toBeGreaterThan(40);
  expect(newest.data.filter(({ kind }) => kind === "act").length).toBeGreaterThan(90);
  expect(await blocksOf(() => timeline())).toBeLessThan(BLOCKS_OF_PAGE_MAX);
  let cursor: string | null = null;
  for (let page = 0; page < 100; page++)
    cursor = (await timeline(cursor === null ? {} : { cursor })).next_cursor;
  const { data } = await timeline({ cursor: cursor ?? "" });
  expect(data.some((entry) => entry.kind === "message" && entry.aftermath.reactions.length > 0)).toBe(true);
  expect(await blocksOf(() => timeline({ cursor: cursor ?? "" }))).toBeLessThan(BLOCKS_OF_PAGE_MAX);
});

test("the header reads a handful", async () => {
  expect(await blocksOf(() => getConversation({ ctx, input: { threadId } }))).toBeLessThan(100);
});

test("a change of number reads few blocks, of a customer with 10,000 messages and of one who takes their number", async () => {
  const { customer } = await getConversation({ ctx, input: { threadId } });
  const rename = (from: string, to: string) =>
    renamePerson({ ctx, input: { previous: personNamed(from), now: personNamed(to), at: new Date() } });
  let round = 0;
  const numberOf = async () => (await getConversation({ ctx, input: { threadId } })).customer.number;
  const change = async () => {
    round += 1;
    const next = `49190000000${round}`;
    await rename(customer.number ?? "", next);
    expect(await numberOf()).toBe(next);
    await rename(`4917${String(round).padStart(9, "0")}`, next);
    expect(await numberOf()).toBe(customer.number);
  };
  expect(await blocksOf(change)).toBeLessThan(BLOCKS_OF_PAGE_MAX);
});
