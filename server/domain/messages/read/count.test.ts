import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { MemberActor, SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { asMember, connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { countMessages, countMessagesInput, searchMessages, searchMessagesInput } from "./search";
import { asKey, codeOf, openConversation, openSendWorld, queueText, type SendWorld } from "../testing";

let world: SendWorld;
let ctx: Context<SystemActor>;
let member: Context<MemberActor>;
let channelId: string;

beforeAll(async () => void (world = await openSendWorld()));
beforeEach(async () => {
  ctx = await createTestOrganization(world.services);
  channelId = await connectTestChannel(ctx, true);
  member = await asMember(ctx, "agent");
});
afterAll(() => world.close());

type Query = Readonly<Record<string, string>>;

const count = (query: Query = {}, as: Context = member) =>
  countMessages({ ctx: as, input: parseInput(countMessagesInput, { ...query }) });
const listed = async (query: Query) =>
  (await searchMessages({ ctx: member, input: parseInput(searchMessagesInput, { ...query }) })).data.length;

test("the total is that of the list with its filters and its search", async () => {
  const { threadId, handle } = await openConversation(ctx, channelId);
  const other = await openConversation(ctx, channelId);
  const failed = await queueText(ctx, threadId);
  await queueText(ctx, threadId);
  await queueText(ctx, other.threadId);
  await world.sql`
    update messages set state = 'failed', error_code = 'expired', next_attempt_at = null where id = ${failed}`;
  const queries: [Query, number][] = [
    [{}, 3],
    [{ state: "failed" }, 1],
    [{ state: "read" }, 0],
    [{ q: handle }, 2],
    [{ channelId }, 3],
  ];
  for (const [query, expected] of queries) {
    expect(await listed(query)).toBe(expected);
    expect(await count(query)).toEqual({ count: expected, isMore: false });
  }
  const stranger = await asMember(await createTestOrganization(world.services), "owner");
  expect(await count({ q: handle }, stranger)).toEqual({ count: 0, isMore: false });
  expect(await codeOf(count({ channelId }, stranger))).toBe("channel_forbidden");
  expect(await codeOf(count({}, await asKey(ctx)))).toBe("permission_denied");
});

test("it ends at a maximum, and where a search ends, and then says that there may be more", async () => {
  const { threadId, contactId } = await openConversation(ctx, channelId);
  await world.sql`
    insert into messages (id, organization_id, conversation_id, contact_id, channel_id, kind, type, content, state)
    select gen_random_uuid(), ${ctx.actor.organizationId}, ${threadId}, ${contactId}, ${channelId}, 'outbound', 'text',
      '{}', 'read' from generate_series(1, 10001)`;
  expect(await count()).toEqual({ count: 1_000, isMore: true });
  expect(await count({ state: "sent" })).toEqual({ count: 0, isMore: true });
});
