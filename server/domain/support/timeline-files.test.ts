import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { MemberActor, SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { sendMessage } from "@/server/domain/messages/send/send";
import {
  addUpload,
  type Conversation,
  openConversation,
  openSendWorld,
  type SendWorld,
} from "@/server/domain/messages/testing";
import { asMember } from "@/server/domain/organizations/testing";
import { write } from "./testing";
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

/** The file of a message, as the timeline shows it. */
async function fileOf(id: string) {
  const { threadId } = conversation;
  const { data } = await readConversationTimeline({ ctx: member, input: { threadId, limit: 50 } });
  const found = data.find((entry) => entry.id === id);
  if (found?.kind !== "message") throw new Error("The message isn't in the timeline");
  return found.file;
}

test("a customer's file has its name, its type and size by the bytes, and what became of it", async () => {
  const media = { id: "1", mime_type: "application/pdf", filename: "invoice.pdf" };
  const { id } = await write(ctx, world.channelId, conversation.handle, { type: "document", media });
  const named = { mimeType: "application/pdf", size: null, filename: "invoice.pdf", url: null };
  expect(await fileOf(id)).toEqual({ ...named, state: "pending", goneReason: null });
  await world.sql`
    update customer_files set state = 'stored', mime_type = 'image/png', size = 1234, sha256 = 'aa', stored_at = now()
    where message_id = ${id}`;
  const stored = { ...named, mimeType: "image/png", size: 1234 };
  expect(await fileOf(id)).toEqual({ ...stored, state: "stored", goneReason: null });
  await world.sql`
    update customer_files set state = 'gone', gone_reason = 'too_large', mime_type = null, size = null
    where message_id = ${id}`;
  expect(await fileOf(id)).toEqual({ ...named, state: "gone", goneReason: "too_large" });
  await world.sql`delete from customer_files where message_id = ${id}`;
  expect(await fileOf(id)).toEqual({ ...named, state: "gone", goneReason: "expired" });
});

test("an upload that was sent has its name, type and size", async () => {
  const { id: uploadId, storageKey } = await addUpload(ctx);
  const { message_id: id } = await sendMessage({
    ctx,
    input: {
      client_message_id: randomUUID(),
      type: "image",
      thread_id: conversation.threadId,
      media: { storage_key: storageKey, filename: "cat.png" },
    },
  });
  const file = { mimeType: "image/png", size: 1000, filename: "cat.png", goneReason: null, url: null };
  expect(await fileOf(id)).toEqual({ ...file, state: "stored" });
  await world.sql`update uploads set erased_at = now() where id = ${uploadId}`;
  expect(await fileOf(id)).toEqual({ ...file, state: "gone" });
});

test("a file that was sent by its URL has that URL, and what the request said about it", async () => {
  const media = { url: "https://example.com/cat.png", filename: "cat.png" };
  const { message_id: id } = await sendMessage({
    ctx,
    input: { client_message_id: randomUUID(), type: "image", thread_id: conversation.threadId, media },
  });
  const file = { mimeType: null, size: null, filename: "cat.png", state: "linked", goneReason: null };
  expect(await fileOf(id)).toEqual({ ...file, url: media.url });
});
