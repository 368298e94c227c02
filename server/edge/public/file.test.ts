import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { createServer, request as httpRequest } from "node:http";
import { connect } from "node:net";
import path from "node:path";
import { json } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { appRouter } from "@/server/edge/trpc/router";
import { closeServer, listen } from "@/server/edge/http/listen";
import { createKey } from "@/server/domain/keys/create";
import { revokeKey } from "@/server/domain/keys/revoke";
import { createTestOrganization, openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { SAMPLES } from "@/server/domain/uploads/testing";
import { createPublicHandler, type PublicHandler } from "./handle";
import { fetchMount, nodeMount } from "./mounts";

const PATH = "/api/public/v1/uploads";

let world: TestWorld;
let secret: string;
let port: number;
let handle: PublicHandler;
const server = createServer((req, res) => void nodeMount(handle)(req, res));
/** Under load, a file takes some time to reach the disk. */
const POLL = { timeout: 10_000 };

beforeAll(async () => {
  world = await openTestWorld();
  handle = createPublicHandler(world.services, appRouter);
  secret = await newSecret();
  port = await listen(server, 0, "127.0.0.1");
});
afterAll(async () => {
  await closeServer(server);
  await world.close();
});

/** The secret of a key of a new organization. */
async function newSecret(): Promise<string> {
  const ctx = await createTestOrganization(world.services);
  return (await createKey({ ctx, input: { name: "Key" } })).secret;
}

const filesOnDisk = async () =>
  (
    await readdir(world.services.config.dataDir, { recursive: true, withFileTypes: true }).catch(() => [])
  ).filter((entry) => entry.isFile()).length;

/** Size of the files that haven't arrived completely yet. */
async function bytesComingIn(): Promise<number> {
  const incoming = path.join(world.services.config.dataDir, "uploads", "incoming");
  const files = await readdir(incoming);
  const sizes = await Promise.all(files.map(async (name) => (await stat(path.join(incoming, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function uploadOver(mount: "node" | "fetch", body: Uint8Array, headers: Record<string, string> = {}) {
  const init = { method: "POST", headers: { "x-api-key": secret, ...headers }, body: new Uint8Array(body) };
  const answer =
    mount === "node"
      ? await fetch(`http://127.0.0.1:${port}${PATH}`, init)
      : await fetchMount(handle)(new Request(`http://localhost${PATH}`, init));
  return { status: answer.status, body: await answer.json() };
}

const nameOf = async (storageKey: string) => {
  const [row] = await world.database.sql<{ filename: string | null }[]>`
    select filename from uploads where storage_key = ${storageKey}`;
  return row?.filename;
};

describe.each(["node", "fetch"] as const)("a file over the %s mount", (mount) => {
  test("is taken in as it is, also where it is larger than any JSON may be", async () => {
    const large = Buffer.concat([SAMPLES.png, Buffer.alloc(1024 * 1024)]);
    expect(await uploadOver(mount, large, { "content-type": "image/png" })).toMatchObject({
      status: 201,
      body: { mime_type: "image/png", size: large.length },
    });
  });

  test.each([
    ["Karte%20f%C3%BCr%20Zo%C3%AB.pdf", "Karte für Zoë.pdf"],
    ["100% sure.pdf", "100% sure.pdf"],
    [Buffer.from("Übersicht.pdf").toString("latin1"), "Übersicht.pdf"],
    ["\u00dcbersicht.pdf", "Übersicht.pdf"],
    ["%2e%2e%2fpasswd%00", "passwd"],
  ])("under the name %s is kept as %s", async (sent, kept) => {
    const { body } = await uploadOver(mount, SAMPLES.pdf, { "x-filename": sent });
    expect(await nameOf(body.storage_key)).toBe(kept);
  });

  test.each([
    ["multipart/form-data; boundary=x", "unsupported_media_type"],
    ["application/x-www-form-urlencoded", "unsupported_media_type"],
    ["application/json", "invalid_media"],
  ])("of type %s is refused with %s", async (type, code) => {
    const { body } = await uploadOver(mount, SAMPLES.pdf, { "content-type": type });
    expect(body).toMatchObject({ error: { code } });
  });

  test("that is compressed on its way is refused", async () => {
    const { status } = await uploadOver(mount, SAMPLES.pdf, { "content-encoding": "gzip" });
    expect(status).toBe(415);
  });
});

test("a declared length over that of any file is refused before the key is looked at", async () => {
  const call = httpRequest({
    port,
    method: "POST",
    path: PATH,
    headers: { "content-length": 100 * 1024 * 1024 + 1 },
  });
  call.flushHeaders();
  const [answer] = await once(call, "response");
  expect(answer.statusCode).toBe(413);
  call.destroy();
});

test("a connection that breaks in the middle of a file leaves nothing behind", async () => {
  const before = await filesOnDisk();
  const socket = connect(port, "127.0.0.1");
  socket.write(
    `POST ${PATH} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${secret}\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nHalf`,
  );
  await expect.poll(filesOnDisk, POLL).toBe(before + 1);
  socket.resetAndDestroy();
  await expect.poll(filesOnDisk, POLL).toBe(before);
});

test("a slow upload doesn't count as a request that presses for an answer", async () => {
  const before = await filesOnDisk();
  const secrets = await Promise.all(Array.from({ length: 20 }, newSecret));
  const calls = secrets.map((key) => {
    const call = httpRequest({ port, method: "POST", path: PATH, headers: { "x-api-key": key } });
    call.on("error", () => undefined);
    call.write("text");
    return call;
  });
  await expect.poll(filesOnDisk, POLL).toBe(before + calls.length);
  expect(world.services.load.isHigh()).toBe(false);
  for (const call of calls) call.destroy();
  await expect.poll(filesOnDisk, POLL).toBe(before);
});

/** An upload that has begun: this many bytes of it are on the disk. */
async function beginUpload(key: string, bytes: number) {
  const before = await filesOnDisk();
  const call = httpRequest({
    port,
    method: "POST",
    path: PATH,
    headers: { "x-api-key": key, "content-type": "text/plain" },
  });
  const answered = once(call, "response").then(async ([answer]) => ({
    status: answer.statusCode,
    body: await json(answer),
  }));
  call.write(Buffer.alloc(bytes, "a"));
  await expect.poll(filesOnDisk, POLL).toBe(before + 1);
  return { call, answered };
}

describe("an upload of which the last byte comes after two minutes", () => {
  afterEach(() => vi.restoreAllMocks());

  test.each([
    ["about a byte a second is refused", 120, 408],
    ["16 KiB a second is taken in", 120 * 16 * 1024, 201],
  ])("at %s", async (_, bytes, status) => {
    const before = await filesOnDisk();
    const { call, answered } = await beginUpload(await newSecret(), bytes);
    const now = performance.now.bind(performance);
    await expect.poll(bytesComingIn, POLL).toBe(bytes);
    vi.spyOn(performance, "now").mockImplementation(() => now() + 120_000);
    call.end("a");
    expect((await answered).status).toBe(status);
    await expect.poll(filesOnDisk, POLL).toBe(status === 201 ? before + 1 : before);
  });
});

test("a file whose key was revoked while it came is refused, and nothing of it stays", async () => {
  const ctx = await createTestOrganization(world.services);
  const key = await createKey({ ctx, input: { name: "Key" } });
  const before = await filesOnDisk();
  const { call, answered } = await beginUpload(key.secret, 1);
  await revokeKey({ ctx, input: { keyId: key.id } });
  call.end("a");
  expect(await answered).toMatchObject({ status: 401, body: { error: { code: "api_key_revoked" } } });
  await expect.poll(filesOnDisk, POLL).toBe(before);
});
