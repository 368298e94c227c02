import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { serveOnLoopback } from "@/server/edge/http/testing";
import { boundedFetch } from "./bounded-fetch";

const LIMITS = { timeoutMs: 60_000, answerBytesMax: 1_000 };
/** For calls that should time out. */
const SOON = { ...LIMITS, timeoutMs: 200 };

/** A server that sends this text to every client, and then nothing. */
async function serverSaying(said: string): Promise<{ url: string; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    socket.resume().write(said);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server listens on no port");
  return { url: `http://127.0.0.1:${address.port}/e/secret-key`, sockets };
}

const OK = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";

test.each([
  ["says nothing", "", SOON, "no answer within 200 ms"],
  ["stops after its headers", `${OK}Content-Length: 100\r\n\r\n`, SOON, "no answer within 200 ms"],
  [
    "sends without end",
    `${OK}Content-Length: 5000\r\n\r\n${"x".repeat(2000)}`,
    LIMITS,
    "larger than 1000 bytes",
  ],
  ["doesn't speak HTTP", "SSH-2.0-OpenSSH_9.6\r\n", LIMITS, "HPE_INVALID_CONSTANT"],
])("a server that %s is given up, and its connection let go", async (_, said, limits, reason) => {
  const { url, sockets } = await serverSaying(said);
  const error = await boundedFetch(limits)(url).catch((failure: unknown) => failure);
  expect(String(error)).toContain(
    `fetch failed: ${reason === "larger than 1000 bytes" ? "the answer is " : ""}`,
  );
  expect(String(error)).toContain(reason);
  expect(JSON.stringify([error, String(error)])).not.toContain("secret-key");
  // Node opens another connection in its place, and closes it after some seconds of idle time.
  await expect.poll(() => sockets.size).toBe(0);
});

test("a server that isn't there is said to be so, without its address", async () => {
  const { url, close } = await serveOnLoopback(() => undefined);
  await close();
  await expect(boundedFetch(LIMITS)(`${url}/e/secret-key`)).rejects.toThrow(/^fetch failed: ECONNREFUSED$/);
});

test("an answer is handed on with its status; one that leads elsewhere isn't followed", async () => {
  const asked: string[] = [];
  const { url, close } = await serveOnLoopback((req, res) => {
    asked.push(req.url ?? "");
    if (req.url === "/away") res.writeHead(307, { Location: "/elsewhere" }).end();
    else res.writeHead(req.url === "/empty" ? 204 : 500).end(req.url === "/empty" ? undefined : "it broke");
  });
  onTestFinished(close);
  const ask = async (path: string) => {
    const answer = await boundedFetch(LIMITS)(url + path);
    return [answer.status, await answer.text()];
  };
  expect(await ask("/away")).toEqual([307, ""]);
  expect(await ask("/broken")).toEqual([500, "it broke"]);
  expect(await ask("/empty")).toEqual([204, ""]);
  expect(asked).toEqual(["/away", "/broken", "/empty"]);
});
