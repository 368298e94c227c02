import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Context } from "@/server/core/context";
import { createTestOrganization } from "@/server/domain/organizations/testing";
import { everyNameResolvesTo, FORBIDDEN_URLS } from "@/server/adapters/outbound/testing";
import { MEDIA_TYPES, type MediaType } from "@/server/adapters/whatsapp/media-types";
import type { SendMessageInput } from "../model/send-request";
import { sendMessage } from "./send";
import { addUpload, openConversation, openSendWorld, type SendWorld } from "../testing";

let world: SendWorld;
let threadId: string;

beforeAll(async () => {
  world = await openSendWorld();
  ({ threadId } = await openConversation(world.ctx, world.channelId));
});
afterAll(() => world.close());
afterEach(() => vi.restoreAllMocks());

const URL_OF_FILE = "https://8.8.8.8/file";

const send = (type: MediaType, media: SendMessageInput["media"], ctx: Context = world.ctx) =>
  sendMessage({ ctx, input: { client_message_id: randomUUID(), type, thread_id: threadId, media } });

/** Returns the error and its field; null if it succeeded. */
async function errorOf(...args: Parameters<typeof send>) {
  try {
    await send(...args);
    return null;
  } catch (error) {
    const { code, field } = Object(error);
    return { code, field };
  }
}

const INVALID_KEY = { code: "invalid_media", field: "media.storage_key" };
const INVALID_TYPE = { code: "invalid_media", field: "media.mime_type" };
const FORBIDDEN = { code: "media_url_forbidden", field: "media.url" };

/** Meta's limits ("Supported media types"), in bytes. */
const SIZES: Readonly<Record<MediaType, number>> = {
  image: 5 * 1024 ** 2,
  audio: 16 * 1024 ** 2,
  video: 16 * 1024 ** 2,
  document: 100 * 1024 ** 2,
  sticker: 500 * 1024,
};

const types = (Object.keys(MEDIA_TYPES) as MediaType[]).map((type) => ({
  type,
  ...MEDIA_TYPES[type],
  sizeBytesMax: SIZES[type],
}));

describe.each(types)("type $type", ({ type, mimeTypes, sizeBytesMax }) => {
  test("takes what WhatsApp takes for it, from an address and as an upload", async () => {
    for (const mimeType of mimeTypes) {
      expect(await errorOf(type, { url: URL_OF_FILE, mime_type: mimeType })).toBeNull();
      const { storageKey } = await addUpload(world.ctx, { mimeType, size: sizeBytesMax });
      expect(await errorOf(type, { storage_key: storageKey, mime_type: mimeType })).toBeNull();
    }
  });

  test("takes no file that WhatsApp takes for another type", async () => {
    for (const other of types.filter((candidate) => candidate.type !== type)) {
      const [mimeType] = other.mimeTypes;
      expect(await errorOf(type, { url: URL_OF_FILE, mime_type: mimeType })).toEqual(INVALID_TYPE);
      const { storageKey } = await addUpload(world.ctx, { mimeType });
      expect(await errorOf(type, { storage_key: storageKey })).toEqual(INVALID_KEY);
    }
  });

  test("takes no upload of one byte more than WhatsApp does", async () => {
    const [mimeType] = mimeTypes;
    const { storageKey } = await addUpload(world.ctx, { mimeType, size: sizeBytesMax + 1 });
    expect(await errorOf(type, { storage_key: storageKey })).toEqual(INVALID_KEY);
  });
});

test("a refused type is told with those that are taken, cut where it is long", async () => {
  const error = send("image", { url: URL_OF_FILE, mime_type: "x".repeat(5000) });
  await expect(error).rejects.toMatchObject({ message: expect.stringContaining("image/jpeg, image/png") });
  await expect(error).rejects.toMatchObject({ message: expect.not.stringContaining("x".repeat(101)) });
});

describe("an upload", () => {
  test.each(["", "unknown", "../../etc/passwd", "a".repeat(5000), randomUUID()])(
    "that doesn't exist, %j, is invalid media",
    async (storageKey) => {
      expect(await errorOf("image", { storage_key: storageKey })).toEqual(INVALID_KEY);
    },
  );

  test("of another organization is refused in the words for one that doesn't exist", async () => {
    const foreign = await addUpload(await createTestOrganization(world.services));
    const messageOf = async (storage_key: string) => {
      const [settled] = await Promise.allSettled([send("image", { storage_key })]);
      return settled.status === "rejected" ? [settled.reason.code, settled.reason.message] : [];
    };
    expect(await messageOf(foreign.storageKey)).toEqual(await messageOf("unknown"));
    expect(await messageOf(foreign.storageKey)).toContain("invalid_media");
  });

  test("that has expired or was erased is invalid media", async () => {
    const expired = await addUpload(world.ctx, { expiresAt: new Date(Date.now() - 1000) });
    const erased = await addUpload(world.ctx, { erasedAt: new Date() });
    expect(await errorOf("image", { storage_key: expired.storageKey })).toEqual(INVALID_KEY);
    expect(await errorOf("image", { storage_key: erased.storageKey })).toEqual(INVALID_KEY);
  });

  test("is what the message is linked to; the request's words are kept", async () => {
    const { id, storageKey } = await addUpload(world.ctx);
    const media = { storage_key: storageKey, url: URL_OF_FILE, mime_type: null };
    const { message_id } = await send("image", media);
    const [row] = await world.sql`
      select type, content, upload_id, template_id from messages where id = ${message_id}`;
    expect(row).toEqual({
      type: "image",
      content: { type: "image", thread_id: threadId, media: { storage_key: storageKey, url: URL_OF_FILE } },
      upload_id: id,
      template_id: null,
    });
  });
});

describe("an address", () => {
  test.each(["not a url", "", "example.com/file"])("that isn't one, %j, is forbidden", async (url) => {
    expect(await errorOf("image", { url })).toEqual(FORBIDDEN);
  });

  test.each(FORBIDDEN_URLS)("that isn't public, $form, is forbidden: $url", async ({ url, resolvesTo }) => {
    if (resolvesTo) everyNameResolvesTo(...resolvesTo);
    expect(await errorOf("image", { url })).toEqual(FORBIDDEN);
  });

  test("is checked beside an upload too, after it", async () => {
    const { storageKey } = await addUpload(world.ctx);
    const url = "https://10.0.0.1/";
    expect(await errorOf("image", { storage_key: storageKey, url })).toEqual(FORBIDDEN);
    expect(await errorOf("image", { storage_key: "unknown", url })).toEqual(INVALID_KEY);
    expect(await errorOf("image", { mime_type: "image/gif", url })).toEqual(INVALID_TYPE);
  });

  test("whose name doesn't resolve is accepted, and nothing is fetched", async () => {
    expect(await errorOf("image", { url: "https://name-that-nobody-has.invalid/a.png" })).toBeNull();
  });

  test.each([
    ["image", "https://8.8.8.8/a.gif"],
    ["image", "https://8.8.8.8/A.WEBP?size=large#a.png"],
    ["image", "https://8.8.8.8/a.jpg.zip"],
    ["image", "https://8.8.8.8/a%2Ephp/b%2Epdf"],
    ["image", "https://8.8.8.8/gr%C3%B6%C3%9Fe.svg"],
    ["audio", "https://8.8.8.8/a.mp4"],
    ["video", "https://8.8.8.8/a.mov"],
    ["document", "https://8.8.8.8/a.csv"],
  ] as const)(
    "whose path ends in a type that type %s doesn't take, %s, needs mime_type",
    async (type, url) => {
      expect(await errorOf(type, { url })).toEqual({ code: "invalid_media", field: "media.url" });
      await expect(send(type, { url })).rejects.toMatchObject({
        message: expect.stringContaining("`media.mime_type`"),
      });
      const [mime_type] = MEDIA_TYPES[type].mimeTypes;
      expect(await errorOf(type, { url, mime_type })).toBeNull();
    },
  );

  test.each([
    "https://8.8.8.8",
    "https://8.8.8.8/a.JPG",
    "https://8.8.8.8/a.gif/b",
    "https://8.8.8.8/a.gif/",
    "https://8.8.8.8/show.php?file=a.gif",
    "https://8.8.8.8/a?name=b.gif#c.gif",
    "https://8.8.8.8/.gif",
    "https://8.8.8.8/100%.jpg",
    "https://8.8.8.8/v1.2024",
  ])("whose path ends in no such type, %s, needs none", async (url) => {
    expect(await errorOf("image", { url })).toBeNull();
  });

  test("that isn't public is refused as that, whatever its path ends in", async () => {
    expect(await errorOf("image", { url: "https://10.0.0.1/a.gif" })).toEqual(FORBIDDEN);
  });

  test("that the operator allows is accepted, by plain http too", async () => {
    const config = { ...world.services.config, allowedPrivateHosts: new Set(["127.0.0.1:8080"]) };
    const ctx = { ...world.ctx, services: { ...world.services, config } };
    expect(await errorOf("image", { url: "http://127.0.0.1:8080/a.png" }, ctx)).toBeNull();
    expect(await errorOf("image", { url: "http://127.0.0.1:8080/a.png" })).toEqual(FORBIDDEN);
  });

  test("is looked up neither for a repeat nor for a conflict", async () => {
    const lookup = everyNameResolvesTo("8.8.8.8");
    const input = {
      client_message_id: randomUUID(),
      type: "image" as const,
      thread_id: threadId,
      media: { url: "https://repeated.example/" },
    };
    await sendMessage({ ctx: world.ctx, input });
    expect(lookup).toHaveBeenCalledTimes(1);
    expect((await sendMessage({ ctx: world.ctx, input })).deduplicated).toBe(true);
    const other = { ...input, media: { url: "https://other.example/" } };
    await expect(sendMessage({ ctx: world.ctx, input: other })).rejects.toMatchObject({
      code: "idempotency_key_reused",
    });
    expect(lookup).toHaveBeenCalledTimes(1);
  });
});
