import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { fetchNodeMount, streamNodeMount } from "./fetch-mount";
import { serveOnLoopback } from "./testing";

const CHUNK = new TextEncoder().encode("x".repeat(64 * 1024));
/** More than the socket buffers of both sides hold. */
const ENDLESS = 100_000;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A body of this many chunks. It counts the requested chunks, and records whether its reader has left. */
function createBody(chunks: number, failsAt = Number.POSITIVE_INFINITY) {
  const reported = { asked: 0, isCancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (reported.asked === chunks) return controller.close();
        if (reported.asked === failsAt) return controller.error(new Error("the database is away"));
        reported.asked += 1;
        controller.enqueue(CHUNK);
      },
      cancel() {
        reported.isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, reported };
}

async function ask(body: ReadableStream<Uint8Array>): Promise<IncomingMessage> {
  const mount = streamNodeMount(() => Promise.resolve(new Response(body)));
  const server = createServer((req, res) => void mount(req, res)).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port: portOf(server.address()), agent: false }, resolve).on("error", reject);
  });
}

/** Guarantee: of a server that listens on a port. */
const portOf = (address: string | AddressInfo | null) => (address as AddressInfo).port;

test("an answer of any length arrives whole", async () => {
  const answer = await ask(createBody(50).body);
  let bytes = 0;
  for await (const chunk of answer) bytes += chunk.length;
  expect(bytes).toBe(50 * CHUNK.byteLength);
});

test("no more is made than is read, and nothing once the reader has left", async () => {
  const { body, reported } = createBody(ENDLESS);
  const answer = await ask(body);
  answer.pause();
  let before = -1;
  // The client doesn't read, so the body stops when the socket buffers are full.
  await expect
    .poll(() => {
      const isAtRest = reported.asked === before;
      before = reported.asked;
      return isAtRest;
    })
    .toBe(true);
  expect(reported.asked).toBeLessThan(ENDLESS / 10);
  answer.destroy();
  await expect.poll(() => reported.isCancelled).toBe(true);
});

test("a body that fails breaks the connection off, so that a part isn't taken for the whole", async () => {
  const answer = await ask(createBody(ENDLESS, 3).body);
  const read = async () => {
    for await (const chunk of answer) expect(chunk.length).toBeGreaterThan(0);
  };
  await expect(read()).rejects.toThrow(/aborted/);
});

test("a length is told, and not in how many parts the handler would have sent it", async () => {
  const headers = { "Transfer-Encoding": "chunked" };
  const mount = fetchNodeMount(async () => new Response("told", { headers }));
  const server = await serveOnLoopback((req, res) => void mount(req, res));
  closers.push(() => void server.close());
  const answer = await fetch(server.url);
  expect(await answer.text()).toBe("told");
  expect(answer.headers.get("content-length")).toBe("4");
  expect(answer.headers.get("transfer-encoding")).toBeNull();
});
