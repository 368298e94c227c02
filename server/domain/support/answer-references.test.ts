import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { MemberActor, SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import {
  addUpload,
  type Conversation,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
} from "@/server/domain/messages/testing";
import { asMember, connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { isWaypostError } from "@/server/platform/errors";
import { answerConversation, answerInput } from "./answer";
import { assignConversation } from "./assign";
import { said, write } from "./testing";
import { readConversationTimeline } from "./timeline";

let world: SendWorld;
let ctx: Context<SystemActor>;
let member: Context<MemberActor>;
let conversation: Conversation;

beforeAll(async () => {
  world = await openSendWorld();
  ({ ctx } = world);
  member = await asMember(ctx, "agent");
});
beforeEach(async () => {
  conversation = await openConversation(ctx, world.channelId);
});
afterAll(() => world.close());

type Input = (typeof answerInput)["_zod"]["input"];

const answer = async (part: Pick<Input, "content" | "replyTo">) =>
  answerConversation({
    ctx: member,
    input: parseInput(answerInput, {
      threadId: conversation.threadId,
      idempotencyToken: randomUUID(),
      ...part,
    }),
  });

const text = (replyTo: string) => answer({ content: { type: "text", body: "That one" }, replyTo });
const reaction = (messageId: string, emoji = "🎉") =>
  answer({ content: { type: "reaction", messageId, emoji } });

const customerWrites = (of: Conversation = conversation) =>
  write(ctx, world.channelId, of.handle, said("Which one?"));

async function entryOf(id: string) {
  const { threadId } = conversation;
  const { data } = await readConversationTimeline({ ctx: member, input: { threadId, limit: 50 } });
  const found = data.find((entry) => entry.id === id);
  return found?.kind === "message" ? found : null;
}

async function faultOf(call: Promise<unknown>) {
  const error: unknown = await call.catch((reason: unknown) => reason);
  if (!isWaypostError(error)) throw new Error("It wasn't refused");
  return [error.code, error.field, error.message];
}

describe("a member's quote", () => {
  test("is sent with its answer, of either direction, and shown with it", async () => {
    const { id: theirs } = await customerWrites();
    const ours = await queueText(ctx, conversation.threadId);
    for (const [quoted, direction, preview] of [
      [theirs, "inbound", "Which one?"],
      [ours, "outbound", "Good morning"],
    ] as const) {
      const { messageId } = await text(quoted);
      expect(await entryOf(messageId)).toMatchObject({
        message: { content: { text: { body: "That one" } }, reply_to: { message_id: quoted } },
        quote: { messageId: quoted, direction, preview, isHere: true },
      });
    }
  });

  test("goes with a file, too", async () => {
    const { id: replyTo } = await customerWrites();
    const { storageKey } = await addUpload(ctx);
    const { messageId } = await answer({ content: { type: "image", storageKey }, replyTo });
    expect(await entryOf(messageId)).toMatchObject({
      quote: { messageId: replyTo },
      file: { state: "stored" },
    });
  });
});

describe("a member's reaction", () => {
  test("is shown at its message, replaced by the next one, and taken back", async () => {
    const { id } = await customerWrites();
    const { messageId } = await reaction(id, "👍");
    const shown = async () => (await entryOf(id))?.aftermath.reactions.map(({ emoji }) => emoji);
    expect(await shown()).toEqual(["👍"]);
    expect(await entryOf(messageId)).toBeNull();
    await reaction(id, "❤️");
    expect(await shown()).toEqual(["❤️"]);
    await reaction(id, "");
    expect(await shown()).toEqual([]);
    const rows = await world.sql`
      select content -> 'reaction' as reaction, member_id as "memberId" from messages
      where conversation_id = ${conversation.threadId} and type = 'reaction' order by accept_seq`;
    const { memberId } = member.actor;
    expect(rows.map((row) => row)).toEqual(
      ["👍", "❤️", ""].map((emoji) => ({ reaction: { message_id: id, emoji }, memberId })),
    );
  });

  test.each(["ab", "👍👍"])("is one emoji, not %s", async (emoji) => {
    const { id } = await customerWrites();
    expect((await faultOf(reaction(id, emoji))).slice(0, 2)).toEqual(["validation_failed", "content.emoji"]);
  });

  test("isn't for a reaction", async () => {
    const { messageId } = await reaction((await customerWrites()).id);
    expect((await faultOf(reaction(messageId))).slice(0, 2)).toEqual([
      "validation_failed",
      "content.messageId",
    ]);
  });
});

describe("an id of another organization is answered like an unknown one", () => {
  async function foreign() {
    const other = await createTestOrganization(world.services);
    const { threadId } = await openConversation(other, await connectTestChannel(other, true));
    return {
      message: await queueText(other, threadId),
      upload: (await addUpload(other)).storageKey,
      member: (await asMember(other, "agent")).actor.memberId,
    };
  }
  type Ids = Awaited<ReturnType<typeof foreign>>;

  test.each<{ what: string; act: (ids: Ids) => Promise<unknown>; refused: readonly [string, string] }>([
    {
      what: "a quoted message",
      act: ({ message }) => text(message),
      refused: ["validation_failed", "replyTo"],
    },
    {
      what: "a message for a reaction",
      act: ({ message }) => reaction(message),
      refused: ["validation_failed", "content.messageId"],
    },
    {
      what: "an upload",
      act: ({ upload: storageKey }) => answer({ content: { type: "image", storageKey } }),
      refused: ["invalid_media", "content.storageKey"],
    },
    {
      what: "an assignee",
      act: ({ member: memberId }) =>
        assignConversation({ ctx: member, input: { threadId: conversation.threadId, memberId } }),
      refused: ["member_not_found", "memberId"],
    },
  ])("as $what", async ({ act, refused }) => {
    const theirs = await faultOf(act(await foreign()));
    const unknown = { message: randomUUID(), upload: `test-${randomUUID()}`, member: randomUUID() };
    expect(theirs.slice(0, 2)).toEqual(refused);
    expect(theirs).toEqual(await faultOf(act(unknown)));
    const { data } = await readConversationTimeline({
      ctx: member,
      input: { threadId: conversation.threadId, limit: 50 },
    });
    expect(data).toHaveLength(1);
  });

  test("and so is a message of another conversation of the organization", async () => {
    const { id } = await customerWrites(await openConversation(ctx, world.channelId));
    expect((await faultOf(text(id))).slice(0, 2)).toEqual(["validation_failed", "replyTo"]);
    expect((await faultOf(reaction(id))).slice(0, 2)).toEqual(["validation_failed", "content.messageId"]);
  });
});
