import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { servicesWith } from "@/server/core/testing";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { SAMPLES } from "@/server/domain/uploads/testing";
import { WaypostError } from "@/server/platform/errors";
import { fetchDueFile, notifyDueFiles } from "./fetch";
import { FETCH_LIMITS } from "./fetch-file";
import {
  endless,
  fileRow,
  givingBytes,
  incompleteFiles,
  makeDue,
  type MediaHost,
  openFilesOrganization,
  receiveFile,
  sha256Of,
  startMediaHost,
  storedBytes,
  unknownMedia,
  usedBytes,
} from "./testing";

const SMALL = { ...FETCH_LIMITS, bytesMax: 256 * 1024 };

let world: TestWorld;
let host: MediaHost;
let other: MediaHost;
let ctx: Context<SystemActor>;
let channelId: string;
beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
});
beforeEach(async () => {
  host = await startMediaHost();
  other = await startMediaHost();
  ({ ctx, channelId } = await openFilesOrganization(world, host));
  return async () => {
    await host.close();
    await other.close();
  };
});
afterAll(() => world.close());

const fetched = async (fileId: string, limits = FETCH_LIMITS as typeof SMALL) => {
  await fetchDueFile(ctx.services, fileId, limits);
  return fileRow(ctx, fileId);
};

const incoming = () => incompleteFiles(world);
const bytesOf = (fileId: string) => storedBytes(world, fileId);

/** Asserts that nothing of a file is on the disk. */
async function expectNothingLeft(fileId: string): Promise<void> {
  expect(await bytesOf(fileId)).toBeNull();
  expect(await incoming()).toEqual([]);
  expect(await usedBytes(ctx)).toBe(0);
}

describe("a customer's file", () => {
  test("is due when its message is stored, and is stored with its size, type and hash", async () => {
    const { fileId } = await receiveFile(ctx, channelId);
    expect(await fileRow(ctx, fileId)).toMatchObject({
      state: "pending",
      attempts: 0,
      mediaId: expect.any(String),
    });
    host.tell({ file_size: SAMPLES.png.length, sha256: sha256Of(SAMPLES.png) });
    expect(await fetched(fileId)).toMatchObject({
      state: "stored",
      attempts: 1,
      mimeType: "image/png",
      size: SAMPLES.png.length,
      sha256: sha256Of(SAMPLES.png),
      isClaimed: false,
    });
    expect(await bytesOf(fileId)).toEqual(SAMPLES.png);
    expect(await usedBytes(ctx)).toBe(SAMPLES.png.length);
    expect(host.requests.map(({ authorization }) => authorization)).toEqual(
      Array(2).fill("Bearer test-access-token"),
    );
  });

  test("is notified when it arrived, and until it is stored", async () => {
    const notified: string[] = [];
    const services = servicesWith(ctx.services, {
      jobs: { ...ctx.services.jobs, notifyFile: (id) => void notified.push(id) },
    });
    const { fileId } = await receiveFile({ ...ctx, services }, channelId);
    expect(notified).toEqual([fileId]);
    await notifyDueFiles(services);
    expect(notified).toEqual([fileId, fileId]);
    await fetched(fileId);
    await notifyDueFiles(services);
    expect(notified).toHaveLength(2);
  });

  test.each([
    { what: "a text", bytes: Buffer.from("<script>alert(1)</script>"), type: "text/plain" },
    { what: "a program", bytes: SAMPLES.executable, type: "application/octet-stream" },
    { what: "another image", bytes: SAMPLES.gif, type: "image/gif" },
    { what: "unknown bytes", bytes: Buffer.from([0, 1, 2, 3, 4]), type: "application/octet-stream" },
  ])("that lies about its type, and is $what, has the type of its bytes", async ({ bytes, type }) => {
    const { fileId } = await receiveFile(ctx, channelId);
    host.serve(givingBytes(bytes));
    expect(await fetched(fileId)).toMatchObject({ state: "stored", mimeType: type });
  });

  test("with the look of two types has the one that its message names", async () => {
    const { fileId } = await receiveFile(ctx, channelId, {
      type: "audio",
      media: { mime_type: "audio/mp4" },
    });
    host.serve(givingBytes(SAMPLES.mp4));
    expect(await fetched(fileId)).toMatchObject({ state: "stored", mimeType: "audio/mp4" });
  });

  test("that never ends is cut at the largest size, and nothing of it stays", async () => {
    const { fileId } = await receiveFile(ctx, channelId);
    host.serve(endless);
    expect(await fetched(fileId, SMALL)).toMatchObject({ state: "gone", goneReason: "too_large" });
    await expectNothingLeft(fileId);
  });

  test("that WhatsApp says is too large isn't downloaded", async () => {
    const { fileId } = await receiveFile(ctx, channelId);
    host.tell({ file_size: SMALL.bytesMax + 1 });
    expect(await fetched(fileId, SMALL)).toMatchObject({ state: "gone", goneReason: "too_large" });
    expect(host.downloads()).toBe(0);
  });

  test("whose id WhatsApp doesn't know is gone", async () => {
    const { fileId } = await receiveFile(ctx, channelId);
    host.describe(unknownMedia);
    expect(await fetched(fileId)).toMatchObject({ state: "gone", goneReason: "expired" });
    await expectNothingLeft(fileId);
  });
});

describe("a failed attempt", () => {
  const refusing = (status: number) => (res: { writeHead(status: number): { end(): void } }) =>
    res.writeHead(status).end();

  test.each([
    { what: "that finds no address", act: () => host.describe(refusing(500)) },
    { what: "whose address has expired", act: () => host.serve(refusing(404)) },
    {
      what: "that breaks off in the middle",
      act: () =>
        host.serve((res) => {
          res.writeHead(200, { "content-length": 1000 });
          res.write("abc", () => res.destroy());
        }),
    },
    { what: "with other bytes than announced", act: () => host.tell({ sha256: "0".repeat(64) }) },
    { what: "at an invalid address", act: () => host.tell({ url: "no address" }) },
  ])("$what is repeated later, and leaves nothing behind", async ({ act }) => {
    const { fileId } = await receiveFile(ctx, channelId);
    act();
    expect(await fetched(fileId)).toMatchObject({
      state: "pending",
      attempts: 1,
      failure: expect.any(String),
      isClaimed: false,
      dueInSeconds: 5,
    });
    await expectNothingLeft(fileId);
    host.describe(null);
    host.tell({});
    host.serve(givingBytes(SAMPLES.png));
    expect(await fetched(fileId)).toMatchObject({ attempts: 1 });
    await makeDue(ctx, fileId);
    expect(await fetched(fileId)).toMatchObject({ state: "stored", attempts: 2, failure: null });
  });

  test("is one if the bytes come too slowly", async () => {
    const { fileId } = await receiveFile(ctx, channelId);
    host.serve((res) => void res.writeHead(200).write("slow"));
    expect(await fetched(fileId, { ...FETCH_LIMITS, stallMs: 50 } as never)).toMatchObject({
      state: "pending",
      attempts: 1,
    });
    await expectNothingLeft(fileId);
  });

  test("compares the bytes with the hash of the message if the answer has none", async () => {
    const { fileId } = await receiveFile(ctx, channelId, {
      media: { sha256: Buffer.alloc(32).toString("base64") },
    });
    expect(await fetched(fileId)).toMatchObject({
      state: "pending",
      failure: expect.stringMatching(/SHA-256/),
    });
  });

  test("of a store that refuses says so, and logs the store's own error", async () => {
    const { fileId } = await receiveFile(ctx, channelId);
    const cause = new Error("AccessDenied");
    const refuse = () =>
      Promise.reject(new WaypostError("unavailable", { message: "The store refuses.", cause }));
    const { customerFiles } = ctx.services;
    const stage = async (chunks: AsyncIterable<Uint8Array>, bytesMax: number) => ({
      ...(await customerFiles.stage(chunks, bytesMax)),
      keep: refuse,
    });
    const logged = vi.spyOn(ctx.services.log, "info");
    const services = servicesWith(ctx.services, { customerFiles: { ...customerFiles, stage } });
    await fetchDueFile(services, fileId);
    expect(await fileRow(ctx, fileId)).toMatchObject({ state: "pending", failure: "The store refuses." });
    expect(logged).toHaveBeenCalledWith(expect.objectContaining({ fileId, err: cause }), expect.any(String));
    await expectNothingLeft(fileId);
  });

  test("is the last one when WhatsApp no longer keeps the file", async () => {
    const at = new Date(Date.now() - 7 * 24 * 60 * 60_000);
    const { fileId } = await receiveFile(ctx, channelId, { at });
    host.serve(refusing(500));
    expect(await fetched(fileId)).toMatchObject({ state: "gone", goneReason: "expired" });
    await makeDue(ctx, fileId);
    expect(await fetched(fileId)).toMatchObject({ attempts: 1 });
  });

  test("waits longer each time, two hours at most", async () => {
    const { fileId } = await receiveFile(ctx, channelId);
    host.describe(refusing(500));
    const delays = [];
    for (let tries = 0; tries < 8; tries += 1) {
      await makeDue(ctx, fileId);
      delays.push((await fetched(fileId)).dueInSeconds);
    }
    expect(delays).toEqual([5, 30, 120, 600, 1_800, 3_600, 7_200, 7_200]);
  });

  test("waits for room in the half of the quota that customers may use, without downloading what has no room", async () => {
    const { fileId } = await receiveFile(ctx, channelId);
    await world.database.sql`
      update organizations set upload_quota_bytes = ${2 * SAMPLES.png.length - 1}
      where id = ${ctx.actor.organizationId}`;
    expect(await fetched(fileId)).toMatchObject({
      state: "pending",
      failure: expect.stringMatching(/quota/),
    });
    await expectNothingLeft(fileId);
    host.tell({ file_size: SAMPLES.png.length });
    await makeDue(ctx, fileId);
    expect(await fetched(fileId)).toMatchObject({ state: "pending", attempts: 2 });
    expect(host.downloads()).toBe(1);
  });
});

describe("the access token", () => {
  test.each(["http://127.0.0.1:1/x", "https://fbsbx.com.example.com/x", "http://lookaside.fbsbx.com/x"])(
    "isn't sent to %s",
    async (url) => {
      const { fileId } = await receiveFile(ctx, channelId);
      host.tell({ url });
      expect(await fetched(fileId)).toMatchObject({
        state: "pending",
        failure: expect.stringMatching(/Meta's/),
      });
    },
  );

  test("isn't sent to another host by an address or a redirect", async () => {
    const { fileId } = await receiveFile(ctx, channelId);
    host.tell({ url: `${other.url}/bytes` });
    expect(await fetched(fileId)).toMatchObject({ state: "pending" });
    host.tell({});
    host.serve((res) => void res.writeHead(302, { location: `${other.url}/bytes` }).end());
    await makeDue(ctx, fileId);
    expect(await fetched(fileId)).toMatchObject({ state: "pending", attempts: 2 });
    expect(other.requests).toEqual([]);
  });

  test("follows a redirect within the host, and a few at most", async () => {
    const { fileId } = await receiveFile(ctx, channelId);
    host.serve((res, req) => {
      if (req.url === "/bytes/there") givingBytes(SAMPLES.png)(res, req);
      else res.writeHead(302, { location: "/bytes/there" }).end();
    });
    expect(await fetched(fileId)).toMatchObject({ state: "stored" });
    const { fileId: another } = await receiveFile(ctx, channelId);
    host.serve((res) => void res.writeHead(302, { location: "/bytes" }).end());
    expect(await fetched(another)).toMatchObject({
      state: "pending",
      failure: expect.stringMatching(/redirects/),
    });
  });
});
