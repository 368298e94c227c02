import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { eraseMessages } from "@/server/domain/erasure/erase-messages";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { recordOutcomes } from "../deliver/record-outcomes";
import {
  asKey,
  codeOf,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
  startCall,
} from "../testing";
import { listMessages } from "./list";
import { listMessagesInput } from "./list-filter";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
afterAll(() => world.close());

const SINCE = "2020-01-01T00:00:00Z";

type Query = Readonly<Record<string, string>>;

const list = (ctx: Context, query: Query = {}) =>
  listMessages({ ctx, input: parseInput(listMessagesInput, { updated_since: SINCE, ...query }) });

/** Reads all pages from a cursor on. */
async function pages(ctx: Context, query: Query = {}) {
  const seen: string[][] = [];
  let last: string | null = null;
  for (let cursor: string | null | undefined = query.cursor; cursor !== null;) {
    const page = await list(ctx, cursor === undefined ? query : { ...query, cursor });
    seen.push(page.data.map((message) => message.message_id));
    last = cursor ?? null;
    cursor = page.next_cursor;
  }
  return { seen, last };
}

/** Waits until the list has this many entries in all. */
const entries = (ctx: Context, count: number, query: Query = {}) =>
  vi.waitFor(
    async () => {
      const ids = (await pages(ctx, query)).seen.flat();
      expect(ids).toHaveLength(count);
      return ids;
    },
    { timeout: 30_000, interval: 100 },
  );

async function newShop() {
  const ctx: Context<SystemActor> = await createTestOrganization(world.services);
  const channelId = await connectTestChannel(ctx);
  const { threadId } = await openConversation(ctx, channelId);
  return { ctx, channelId, threadId };
}

async function accept(ctx: Context, threadId: string): Promise<string> {
  const id = await queueText(ctx, threadId);
  const { attemptId } = await startCall(world, id);
  const detail = { httpStatus: 200, upstreamCode: null, reason: "" };
  const outcome = { kind: "accepted", upstreamId: `wamid.${id}`, detail } as const;
  await recordOutcomes(world.services, [{ attemptId, messageId: id, outcome }]);
  return id;
}

describe("messages by their changes", () => {
  test("come in the order of acceptance, receipt, changes of state and erasure, each at its last place", async () => {
    const { ctx, threadId } = await newShop();
    const [inbound] = await world.sql<{ id: string }[]>`
      select id from messages where conversation_id = ${threadId}`;
    const first = await queueText(ctx, threadId);
    const second = await queueText(ctx, threadId);
    await world.sql`
      insert into message_events (organization_id, message_id, kind, source_key, sequence, previous_state)
      values (${ctx.actor.organizationId}, ${first}, 'sent', 'test', 1, 'queued')`;
    expect(await entries(ctx, 3, { direction: "any" })).toEqual([inbound?.id, second, first]);
    // A page with one message doesn't list it again on the next.
    expect(await entries(ctx, 2, { limit: "1" })).toEqual([second, first]);
    const { next_cursor: cursor } = await list(ctx, { limit: "1" });
    await world.sql.begin((tx) => eraseMessages(tx, ctx.actor.organizationId, [second]));
    const listed = async () => (await pages(ctx, { limit: "1" })).seen.flat();
    await expect.poll(listed).toEqual([first, second]);
    expect((await pages(ctx, { limit: "1", cursor: cursor ?? "" })).seen.flat()).toEqual([first, second]);
  });

  test("begin at the given time, and are limited by the other filters and to the key's channels", async () => {
    const { ctx, threadId, channelId } = await newShop();
    const sent = await accept(ctx, threadId);
    const queued = await queueText(ctx, threadId);
    expect(await entries(ctx, 1, { state: "queued" })).toEqual([queued]);
    expect(await entries(ctx, 1, { state: "sent", limit: "1" })).toEqual([sent]);
    expect(await entries(ctx, 1, { direction: "inbound" })).toHaveLength(1);
    await world.sql`
      update messages set created_at = now() - interval '2 days' where organization_id = ${ctx.actor.organizationId}`;
    const since = new Date(Date.now() - 86_400_000).toISOString();
    expect(await entries(ctx, 1, { updated_since: since })).toEqual([sent]);
    const other = await asKey(ctx, { channelIds: [await connectTestChannel(ctx)] });
    expect((await pages(other)).seen).toEqual([[]]);
    expect((await pages(await asKey(ctx, { channelIds: [channelId] }))).seen.flat()).toContain(sent);
    expect((await pages(await createTestOrganization(world.services))).seen).toEqual([[]]);
  });

  test("leave out none, though a transaction that began earlier ends later", async () => {
    const { ctx, threadId } = await newShop();
    const late = await queueText(ctx, threadId);
    await entries(ctx, 1);
    const { organizationId } = ctx.actor;
    let seen: string[] = [];
    let cursor: string | undefined;
    const follow = async () => {
      const page = await list(ctx, { limit: "1", ...(cursor === undefined ? {} : { cursor }) });
      seen = [...seen, ...page.data.map((message) => message.message_id)];
      cursor = page.next_cursor ?? cursor;
    };
    let later = "";
    await world.sql.begin(async (tx) => {
      await tx`
        insert into message_events (organization_id, message_id, kind, source_key, sequence, previous_state)
        values (${organizationId}, ${late}, 'sent', 'held', 1, 'queued')`;
      later = await queueText(ctx, threadId);
      // Longer than a change otherwise takes to appear.
      await expect
        .poll(
          async () => {
            await follow();
            const [row] = await world.sql<{ isOld: boolean }[]>`
            select clock_timestamp() - created_at > interval '3 seconds' as "isOld" from messages where id = ${later}`;
            return row?.isOld;
          },
          { timeout: 30_000, interval: 200 },
        )
        .toBe(true);
      expect(seen).not.toContain(later);
    });
    seen = [];
    await vi.waitFor(
      async () => {
        await follow();
        expect(seen).toContain(later);
      },
      { timeout: 30_000, interval: 100 },
    );
    expect(seen.indexOf(late)).toBeLessThan(seen.indexOf(later));
    expect(seen).toContain(late);
  });

  test("examine a part of very many with each page, and come to the end", async () => {
    const { ctx, threadId } = await newShop();
    await world.sql`
      insert into messages (id, organization_id, conversation_id, contact_id, channel_id, kind, type, content, state,
        created_at)
      select gen_random_uuid(), v.organization_id, v.id, v.contact_id, v.channel_id, 'outbound', 'text', '{}', 'read',
        now() - interval '1 hour' + i * interval '1 millisecond'
      from conversations v, generate_series(1, 10500) i where v.id = ${threadId}`;
    // As the database does by itself after a while: plans that were made for a small table are made again.
    await world.sql`analyze messages`;
    const queued = await queueText(ctx, threadId);
    expect(await entries(ctx, 1, { state: "queued" })).toEqual([queued]);
    expect((await pages(ctx, { state: "queued" })).seen).toEqual([[], [queued]]);
  });

  test("have cursors of their own", async () => {
    const { ctx, threadId } = await newShop();
    for (let count = 0; count < 3; count++) await queueText(ctx, threadId);
    await entries(ctx, 3);
    const { next_cursor: cursor } = await list(ctx, { limit: "2" });
    const plain = parseInput(listMessagesInput, { limit: "2", cursor: cursor ?? "" });
    expect(await codeOf(listMessages({ ctx, input: plain }))).toBe("validation_failed");
    const newest = await listMessages({ ctx, input: parseInput(listMessagesInput, { limit: "2" }) });
    expect(await codeOf(list(ctx, { cursor: newest.next_cursor ?? "" }))).toBe("validation_failed");
  });
});
