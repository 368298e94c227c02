import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { servicesWith } from "@/server/core/testing";
import { asKey, openConversation, queueImage, queueText } from "@/server/domain/messages/testing";
import {
  asMember,
  connectTestChannel,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { SAMPLES } from "@/server/domain/uploads/testing";
import { fetchDueFile } from "./fetch";
import { mediaFacts } from "./media-facts";
import { openConversationFile, openMessageFile } from "./open-file";
import {
  type MediaHost,
  openFilesOrganization,
  receiveFile,
  sha256Of,
  startMediaHost,
  unknownMedia,
} from "./testing";

let world: TestWorld;
let host: MediaHost;
let ctx: Context<SystemActor>;
let channelId: string;
beforeAll(async () => {
  world = await openTestWorld();
  host = await startMediaHost();
  ({ ctx, channelId } = await openFilesOrganization(world, host));
});
afterAll(async () => {
  await host.close();
  await world.close();
});

const open = (id: string, as: Context = ctx) => openMessageFile({ ctx: as, input: { id } });
const NOT_FOUND = { code: "media_not_found", headers: {} };

async function fetchedFile() {
  const received = await receiveFile(ctx, channelId, { type: "document", media: { filename: "Offer.png" } });
  await fetchDueFile(ctx.services, received.fileId);
  return received;
}

test("a stored file is opened with its facts", async () => {
  const { messageId } = await fetchedFile();
  const { media, file } = await open(messageId.toUpperCase());
  expect(media).toEqual({
    mime_type: "image/png",
    size: SAMPLES.png.length,
    sha256: sha256Of(SAMPLES.png),
    filename: "Offer.png",
  });
  expect(await buffer(file.read())).toEqual(SAMPLES.png);
});

test("a file that isn't fetched yet is not found, with the time after which it can be there", async () => {
  const { messageId } = await receiveFile(ctx, channelId);
  await expect(open(messageId)).rejects.toMatchObject({
    code: "media_not_found",
    message: expect.stringMatching(/being fetched/),
    headers: { "Retry-After": "1" },
  });
});

test("a file that WhatsApp no longer has is gone", async () => {
  const { messageId, fileId } = await receiveFile(ctx, channelId);
  host.describe(unknownMedia);
  await fetchDueFile(ctx.services, fileId);
  host.describe(null);
  await expect(open(messageId)).rejects.toMatchObject({ code: "media_gone" });
});

test("another organization and a key for another channel see no file, and no file is there with a text", async () => {
  const { messageId } = await fetchedFile();
  const { ctx: other } = await openFilesOrganization(world, host);
  await expect(open(messageId, other)).rejects.toMatchObject(NOT_FOUND);
  const otherChannel = await connectTestChannel(ctx);
  await expect(open(messageId, await asKey(ctx, { channelIds: [otherChannel] }))).rejects.toMatchObject(
    NOT_FOUND,
  );
  await expect(open("not-an-id")).rejects.toMatchObject(NOT_FOUND);
  const { contactId } = await openConversation(ctx, channelId);
  const [text] = await ctx.services.sql<
    { id: string }[]
  >`select id from messages where contact_id = ${contactId}`;
  await expect(open(text?.id ?? "")).rejects.toMatchObject(NOT_FOUND);
  await expect(open(messageId, await asKey(ctx, { scopes: ["messages:send"] }))).rejects.toMatchObject({
    code: "missing_scope",
  });
});

describe("a file that was sent", () => {
  const openSent = async (id: string, as: Context<SystemActor> = ctx) =>
    openConversationFile({ ctx: await asMember(as, "agent"), input: { id } });

  async function sentFile() {
    const { threadId } = await openConversation(ctx, channelId);
    return queueImage(ctx, threadId);
  }

  test("is opened for members, and keys get customers' files only", async () => {
    const id = await sentFile();
    const { media, file } = await openSent(id);
    expect(media).toEqual({
      mime_type: "image/png",
      size: SAMPLES.png.length,
      sha256: sha256Of(SAMPLES.png),
      filename: null,
    });
    expect(await buffer(file.read())).toEqual(SAMPLES.png);
    await expect(open(id)).rejects.toMatchObject(NOT_FOUND);
    const key = openConversationFile({ ctx: await asKey(ctx), input: { id } });
    await expect(key).rejects.toMatchObject({ code: "permission_denied" });
    const { messageId } = await fetchedFile();
    expect((await openSent(messageId)).media).toMatchObject({ filename: "Offer.png" });
  });

  test("is not found by another organization, nor with a text", async () => {
    const { ctx: other } = await openFilesOrganization(world, host);
    await expect(openSent(await sentFile(), other)).rejects.toMatchObject(NOT_FOUND);
    const { threadId } = await openConversation(ctx, channelId);
    await expect(openSent(await queueText(ctx, threadId))).rejects.toMatchObject(NOT_FOUND);
  });

  test("is gone once its upload is erased, or its message", async () => {
    const { sql } = ctx.services;
    const [early, late] = [await sentFile(), await sentFile()];
    await sql`
      update uploads u set erased_at = now() from messages m where m.id = ${early} and u.id = m.upload_id`;
    await sql`update messages set erased_at = now() where id = ${late}`;
    const gone = (message: RegExp) => ({ code: "media_gone", message: expect.stringMatching(message) });
    await expect(openSent(early)).rejects.toMatchObject(gone(/30 days/));
    await expect(openSent(late)).rejects.toMatchObject(gone(/message was erased/));
  });
});

test("a file whose bytes this process doesn't have is unavailable", async () => {
  const { messageId } = await fetchedFile();
  const services = servicesWith(ctx.services, {
    customerFiles: { ...ctx.services.customerFiles, find: async () => null },
  });
  await expect(open(messageId, { ...ctx, services })).rejects.toMatchObject({ code: "unavailable" });
});

test("a read of messages can say the size and the type of a stored file", async () => {
  const stored = await fetchedFile();
  const waiting = await receiveFile(ctx, channelId);
  const { sql } = ctx.services;
  const rows = await sql<{ id: string; media: unknown }[]>`
    select m.id, ${mediaFacts(sql)} as media from messages m
    where m.organization_id = ${ctx.actor.organizationId} and m.id = any(${[stored.messageId, waiting.messageId]}::uuid[])`;
  expect(new Map(rows.map(({ id, media }) => [id, media]))).toEqual(
    new Map([
      [stored.messageId, { size: SAMPLES.png.length, mime_type: "image/png" }],
      [waiting.messageId, null],
    ]),
  );
});
