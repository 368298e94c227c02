import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import {
  asMember,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { createUpload } from "./create";
import type { IncomingFile } from "@/server/adapters/files/incoming-file";
import { RECEIVE_LIMITS, type ReceiveLimits } from "./receive";
import { fileOf, officeFile, SAMPLES } from "./testing";

let world: TestWorld;
let ctx: Context<SystemActor>;

beforeAll(async () => void (world = await openTestWorld()));
beforeEach(async () => void (ctx = await createTestOrganization(world.services)));
afterAll(() => world.close());

const upload = (file: IncomingFile, limits: Partial<ReceiveLimits> = {}) =>
  createUpload({ ctx, input: { file, limits: { ...RECEIVE_LIMITS, ...limits } } });

const rows = () => world.database.sql<
  { id: string; storageKey: string; filename: string | null; mimeType: string; days: number }[]
>`
  select id, storage_key as "storageKey", filename, mime_type as "mimeType",
    (extract(epoch from expires_at - now()) / 86400)::float8 as days
  from uploads where organization_id = ${ctx.actor.organizationId}`;

const filesOnDisk = async () =>
  (
    await readdir(world.services.config.dataDir, { recursive: true, withFileTypes: true }).catch(() => [])
  ).filter((entry) => entry.isFile()).length;

async function bytesOf(id: string): Promise<Buffer> {
  const found = await world.services.uploads.find(id);
  const chunks: Uint8Array[] = [];
  for await (const chunk of found?.read() ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe("an upload", () => {
  test("waits for its turn where eight of its organization are on their way in; others don't", async () => {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const slow: IncomingFile = {
      ...fileOf(SAMPLES.png),
      async *chunks() {
        await finished;
        yield SAMPLES.png;
      },
    };
    const eight = Array.from({ length: 8 }, () => upload(slow));
    await expect(upload(fileOf(SAMPLES.png))).rejects.toMatchObject({ code: "unavailable" });
    const other = await createTestOrganization(world.services);
    await createUpload({ ctx: other, input: { file: fileOf(SAMPLES.png) } });
    finish();
    await Promise.all(eight);
    await upload(fileOf(SAMPLES.png));
  });

  test("is kept byte for byte for 30 days, under what its bytes and its sender say of it", async () => {
    const answer = await upload(
      fileOf([SAMPLES.png.subarray(0, 10), SAMPLES.png.subarray(10)], {
        contentType: "image/png",
        filename: "../Karte für Zoë.png",
        declaredBytes: SAMPLES.png.length,
      }),
    );
    expect(answer).toEqual({
      storage_key: expect.stringMatching(/^upl_[0-9a-f]{32}$/),
      mime_type: "image/png",
      size: SAMPLES.png.length,
      sha256: createHash("sha256").update(SAMPLES.png).digest("hex"),
      expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const [row] = await rows();
    expect(row).toMatchObject({
      storageKey: answer.storage_key,
      filename: "Karte für Zoë.png",
      mimeType: "image/png",
    });
    expect(row?.days).toBeCloseTo(30, 2);
    expect(await bytesOf(row?.id ?? "")).toEqual(SAMPLES.png);
  });

  test("of the same file again is another upload", async () => {
    const [one, other] = [await upload(fileOf(SAMPLES.pdf)), await upload(fileOf(SAMPLES.pdf))];
    expect(one.storage_key).not.toBe(other.storage_key);
    expect(one.sha256).toBe(other.sha256);
    expect(await rows()).toHaveLength(2);
  });

  test("of an Office file is known from the file within it", async () => {
    const type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    expect(await upload(fileOf(officeFile(type)))).toMatchObject({ mime_type: type });
  });

  test.each([
    ["a sticker", SAMPLES.sticker, 100],
    ["an animated sticker", SAMPLES.animatedSticker, 500],
  ])("of %s has the size that WhatsApp takes of its kind, and not a byte more", async (_, beginning, kib) => {
    const padded = (bytes: number) => fileOf([beginning, Buffer.alloc(bytes - beginning.length)]);
    expect(await upload(padded(kib * 1024))).toMatchObject({ mime_type: "image/webp", size: kib * 1024 });
    await expect(upload(padded(kib * 1024 + 1))).rejects.toMatchObject({
      code: "payload_too_large",
      message: expect.stringContaining(` ${kib} KiB,`),
    });
  });

  test("is for those who may send messages", async () => {
    const member = await asMember(ctx, "agent");
    await createUpload({ ctx: member, input: { file: fileOf(SAMPLES.pdf) } });
    const actor = { ...member.actor, role: "guest" as "agent" };
    const refused = createUpload({ ctx: { ...member, actor }, input: { file: fileOf(SAMPLES.pdf) } });
    await expect(refused).rejects.toMatchObject({ code: "permission_denied" });
  });
});

describe("a file that is refused leaves nothing behind", () => {
  const MIB = 1024 * 1024;

  /** A file with a valid signature and no end. */
  async function* endless(beginning: Uint8Array) {
    yield beginning;
    for (;;) yield Buffer.alloc(64 * 1024, " ");
  }

  async function errorOf(file: IncomingFile, limits = {}) {
    const before = await filesOnDisk();
    const error: unknown = await upload(file, limits).catch((error: unknown) => error);
    expect(await rows()).toEqual([]);
    expect(await filesOnDisk()).toBe(before);
    return error;
  }

  test("for its type, before a byte of it is read", async () => {
    const chunks = () => {
      throw new Error("read");
    };
    expect(await errorOf({ ...fileOf([]), chunks, contentType: "image/gif" })).toMatchObject({
      code: "invalid_media",
      message: expect.stringContaining("`image/gif`"),
    });
  });

  test("for bytes that contradict its type", async () => {
    expect(await errorOf(fileOf(SAMPLES.pdf, { contentType: "image/png" }))).toMatchObject({
      code: "invalid_media",
      message: expect.stringMatching(/`image\/png`.*`application\/pdf`/),
    });
  });

  test.each<[string, Uint8Array, number]>([
    ["image/png", SAMPLES.png, 5],
    ["audio/mpeg", SAMPLES.mp3, 16],
    ["video/mp4", SAMPLES.mp4, 16],
  ])(
    "for more bytes than WhatsApp takes of %s, declared or not",
    async (contentType, beginning, mebibytes) => {
      const tooLarge = { code: "payload_too_large", message: expect.stringContaining(`${mebibytes} MiB`) };
      const declared = fileOf(beginning, { contentType, declaredBytes: mebibytes * MIB + 1 });
      expect(await errorOf(declared)).toMatchObject(tooLarge);
      const undeclared = { ...fileOf([]), chunks: () => endless(beginning), contentType };
      expect(await errorOf(undeclared)).toMatchObject(tooLarge);
    },
  );

  test("for more bytes than WhatsApp takes of the type that nobody declared", async () => {
    const large = Buffer.concat([SAMPLES.png, Buffer.alloc(5 * MIB)]);
    expect(await errorOf(fileOf(large))).toMatchObject({ code: "payload_too_large" });
  });

  test("for having no bytes", async () => {
    expect(await errorOf(fileOf([]))).toMatchObject({ code: "validation_failed" });
    expect(await errorOf(fileOf([], { contentType: "text/plain" }))).toMatchObject({
      code: "validation_failed",
    });
  });

  test("for silence, for dripping, and for breaking off", async () => {
    const silent = async function* () {
      yield SAMPLES.text;
      await new Promise(() => undefined);
    };
    const dripping = async function* () {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        yield SAMPLES.text;
      }
    };
    const broken = async function* () {
      yield SAMPLES.text;
      throw new Error("aborted");
    };
    const late = { code: "request_timeout" };
    expect(await errorOf({ ...fileOf([]), chunks: silent }, { silenceMs: 30 })).toMatchObject(late);
    expect(await errorOf({ ...fileOf([]), chunks: dripping }, { timeoutMs: 30 })).toMatchObject(late);
    expect(await errorOf({ ...fileOf([]), chunks: broken })).toMatchObject(late);
  });

  test("when its row can't be stored", async () => {
    const gone = new Error("gone");
    const sql = new Proxy(world.services.sql, {
      apply: (target, self, args) =>
        String(args[0]).includes("insert into uploads")
          ? Promise.reject(gone)
          : Reflect.apply(target, self, args),
    });
    const services = { ...world.services, sql };
    const before = await filesOnDisk();
    const storing = createUpload({ ctx: { ...ctx, services }, input: { file: fileOf(SAMPLES.pdf) } });
    await expect(storing).rejects.toBe(gone);
    expect(await filesOnDisk()).toBe(before);
  });
});
