import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { isWaypostError } from "@/server/platform/errors";
import { openConversation, openSendWorld, queueText, type SendWorld, textTo } from "../testing";
import { sendMessage } from "./send";

let world: SendWorld;

beforeAll(async () => void (world = await openSendWorld()));
afterAll(() => world.close());

const open = () => openConversation(world.ctx, world.channelId);

async function inboundOf(threadId: string): Promise<string> {
  const [row] = await world.sql<{ id: string }[]>`
    select id from messages where conversation_id = ${threadId} and kind = 'inbound'`;
  return row?.id ?? "";
}

const KINDS = [
  { field: "reply_to.message_id", naming: (id: string) => ({ reply_to: { message_id: id } }) },
  {
    field: "reaction.message_id",
    naming: (id: string) => ({
      type: "reaction" as const,
      text: undefined,
      reaction: { message_id: id, emoji: "👍" },
    }),
  },
] as const;

/** Returns the code and the field of the refusal; null if it was accepted. */
async function refusalOf(input: Parameters<typeof sendMessage>[0]["input"]) {
  try {
    await sendMessage({ ctx: world.ctx, input });
    return null;
  } catch (error) {
    if (!isWaypostError(error)) throw error;
    return [error.code, error.field];
  }
}

describe.each(KINDS)("$field", ({ field, naming }) => {
  const refused = ["validation_failed", field];
  const refer = (threadId: string, id: string) => refusalOf({ ...textTo(threadId), ...naming(id) });

  test("names a message of the conversation, in either direction", async () => {
    const { threadId } = await open();
    expect(await refer(threadId, await inboundOf(threadId))).toBeNull();
    expect(await refer(threadId, await queueText(world.ctx, threadId))).toBeNull();
  });

  test("names it also by the customer's number instead of the thread", async () => {
    const { threadId, handle } = await open();
    const to = { to: { kind: "whatsapp" as const, handle }, thread_id: null };
    expect(await refusalOf({ ...textTo(threadId), ...to, ...naming(await inboundOf(threadId)) })).toBeNull();
  });

  test("isn't an unknown id, one of another conversation, channel or organization", async () => {
    const { threadId, handle } = await open();
    const second = await connectTestChannel(world.ctx);
    const foreign = await createTestOrganization(world.services);
    const theirs = await openConversation(foreign, await connectTestChannel(foreign, true));
    const ids = [
      randomUUID(),
      await queueText(world.ctx, (await open()).threadId),
      await inboundOf((await openConversation(world.ctx, second, handle)).threadId),
      await queueText(foreign, theirs.threadId),
    ];
    for (const id of ids) expect(await refer(threadId, id)).toEqual(refused);
  });

  test("isn't an internal note", async () => {
    const { threadId } = await open();
    const id = await inboundOf(threadId);
    await world.sql`update messages set kind = 'note' where id = ${id}`;
    expect(await refer(threadId, id)).toEqual(refused);
  });

  test("isn't a message that failed", async () => {
    const { threadId } = await open();
    const id = await queueText(world.ctx, threadId);
    await world.sql`update messages set state = 'failed', error_code = 'undeliverable' where id = ${id}`;
    expect(await refer(threadId, id)).toEqual(refused);
  });

  test("of a conversation that stayed with a merged contact counts for the person's", async () => {
    const [former, person] = [await open(), await open()];
    const id = await inboundOf(former.threadId);
    await world.sql`update contacts set merged_into = ${person.contactId} where id = ${former.contactId}`;
    expect(await refer(person.threadId, id)).toBeNull();
  });
});

test("WhatsApp shows no reaction to a reaction, or to a message older than 30 days", async () => {
  const { threadId } = await open();
  const id = await inboundOf(threadId);
  const react = (message_id: string) => ({
    ...textTo(threadId),
    type: "reaction" as const,
    text: undefined,
    reaction: { message_id, emoji: "👍" },
  });
  const reaction = await sendMessage({ ctx: world.ctx, input: react(id) });
  const refused = ["validation_failed", "reaction.message_id"];
  expect(await refusalOf(react(reaction.message_id))).toEqual(refused);
  await world.sql`update messages set created_at = now() - interval '30 days 1 minute' where id = ${id}`;
  expect(await refusalOf(react(id))).toEqual(refused);
  expect(await refusalOf({ ...textTo(threadId), reply_to: { message_id: id } })).toBeNull();
});

test("the refused reference is told before the closed window", async () => {
  const { threadId } = await open();
  await world.sql`update conversations set last_inbound_at = null where id = ${threadId}`;
  const input = { ...textTo(threadId), reply_to: { message_id: randomUUID() } };
  expect(await refusalOf(input)).toEqual(["validation_failed", "reply_to.message_id"]);
});
