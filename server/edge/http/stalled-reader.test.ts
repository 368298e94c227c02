import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { createTestServers } from "@/e2e/support/http-servers";
import { until } from "@/e2e/support/until";

const STALL_MS = 100;

const { serve, end } = createTestServers();
afterEach(end);

function get(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.write("GET /keys HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  return socket;
}

function* endlessly() {
  for (;;) yield Buffer.alloc(64 * 1024);
}

test("a client that stops reading loses its connection, and the source of its response is closed", async () => {
  const source = Readable.from(endlessly());
  const { port } = await serve({
    responseStallMs: STALL_MS,
    next: async (_, res) => void source.pipe(res).on("close", () => source.destroy()),
  });
  const stalled = get(port).pause();
  await until("the source is closed", () => source.destroyed);
  stalled.destroy();
});

test("a client that waits for a slow source keeps its connection", async () => {
  const { port } = await serve({
    responseStallMs: STALL_MS,
    next: async (_, res) => {
      res.write("first");
      const goesOnAtMs = performance.now() + 3 * STALL_MS;
      await until("the source was slow", () => performance.now() > goesOnAtMs);
      res.end("second");
    },
  });
  expect(await text(get(port))).toMatch(/first[^]*second/);
});
