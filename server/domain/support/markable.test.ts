import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { MemberActor, SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { markRead } from "@/server/domain/messages/marks/mark-read";
import {
  type Conversation,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
} from "@/server/domain/messages/testing";
import { asMember, connectTestChannel } from "@/server/domain/organizations/testing";
import { getConversation } from "./get";
import { said, write } from "./testing";

let world: SendWorld;
let ctx: Context<SystemActor>;
let member: Context<MemberActor>;
let channelId: string;
let conversation: Conversation;

beforeAll(async () => {
  world = await openSendWorld();
  ({ ctx } = world);
  member = await asMember(ctx, "agent");
});
beforeEach(async () => {
  channelId = await connectTestChannel(ctx);
  conversation = await openConversation(ctx, channelId);
});
afterAll(() => world.close());

async function markable() {
  const { threadId } = conversation;
  return (await getConversation({ ctx: member, input: { threadId } })).markable;
}
const customerWrites = (content: Parameters<typeof write>[3]) =>
  write(ctx, channelId, conversation.handle, content);

test("a member marks the customer's newest message, until it is marked and another one arrives", async () => {
  const { id: first } = await customerWrites(said("One"));
  await queueText(ctx, conversation.threadId);
  expect(await markable()).toEqual({ messageId: first, isRead: false });
  await markRead({ ctx: member, input: { id: first } });
  expect(await markable()).toEqual({ messageId: first, isRead: true });
  const { id: second } = await customerWrites(said("Two"));
  expect(await markable()).toEqual({ messageId: second, isRead: false });
  await markRead({ ctx: member, input: { id: second, typing: true } });
  expect(await markable()).toEqual({ messageId: second, isRead: true });
});

test("a mark that WhatsApp never got counts as none", async () => {
  const { id } = await customerWrites(said("One"));
  await markRead({ ctx: member, input: { id } });
  await world.sql`
    update read_marks set is_pending = false, failure = 'expired' where conversation_id = ${conversation.threadId}`;
  expect(await markable()).toEqual({ messageId: id, isRead: false });
});

test("a reaction has no ticks: the message before it is marked", async () => {
  const { id, upstreamId } = await customerWrites(said("One"));
  await customerWrites({ type: "reaction", reaction: { upstream_id: upstreamId, emoji: "👍" } });
  expect(await markable()).toEqual({ messageId: id, isRead: false });
});

test.each([
  ["was erased", "erased_at = now(), content = '{}'"],
  ["has no id of WhatsApp", "upstream_id = null"],
  ["is older than 30 days", "created_at = now() - interval '30 days'"],
])("a message that %s can't be marked", async (_, change) => {
  expect(await markable()).not.toBeNull();
  await world.sql`update messages set ${world.sql.unsafe(change)} where conversation_id = ${conversation.threadId}`;
  expect(await markable()).toBeNull();
});

test("nor can any on a disabled channel", async () => {
  await world.sql`update channels set disabled_at = now() where id = ${channelId}`;
  expect(await markable()).toBeNull();
});
