import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { createServer, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appRouter } from "@/server/edge/trpc/router";
import { closeServer, listen } from "@/server/edge/http/listen";
import { createKey } from "@/server/domain/keys/create";
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
/** Under load a file takes its time to the disk. */
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

/** Of an organization of its own. */
async function newSecret(): Promise<string> {
  const ctx = await createTestOrganization(world.services);
  return (await createKey({ ctx, input: { name: "Key" } })).secret;
}

const filesOnDisk = async () =>
  (
    await readdir(world.services.config.dataDir, { recursive: true, withFileTypes: true }).catch(() => [])
  ).filter((entry) => entry.isFile()).length;

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
  expect(world.services.pressure.isHigh()).toBe(false);
  for (const call of calls) call.destroy();
  await expect.poll(filesOnDisk, POLL).toBe(before);
});
