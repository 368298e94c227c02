import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer, type ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createLimits } from "./limits";
import type { RedisLink } from "./redis-link";
import { openRestLink } from "./rest-link";
import { createSlidingWindowStore } from "./sliding-window";
import { openTcpLink } from "./tcp-link";
import { recordLog } from "./testing";

const TOKEN = "s3cret-token";
const LIMIT = 60;
const MEGABYTE = Buffer.alloc(1024 * 1024, "1");

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return portOf(server.address());
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address.port;
}

/** Returns the result of a take through such a link, and its log lines. */
async function takeThrough(link: RedisLink) {
  closers.push(() => link.close());
  const { log, lines } = recordLog();
  const limits = createLimits(createSlidingWindowStore(link), log);
  const ticket = await limits.take(randomUUID(), "send", LIMIT);
  return { ticket, line: JSON.stringify(lines()) };
}

/** Sends endlessly, as fast as the other side reads. */
function pour(target: Socket | ServerResponse): void {
  while (!target.destroyed && target.write(MEGABYTE));
  if (!target.destroyed) target.once("drain", () => pour(target));
}

/** Replies of a server that isn't an Upstash. */
const json =
  (body: unknown, status = 200) =>
  (response: ServerResponse) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
const HTTP_ANSWERS = {
  "a page": (response) => void response.end("<html>Welcome</html>"),
  nothing: (response) => void response.end(),
  null: json(null),
  "an object": json({ result: [59, LIMIT] }),
  "an empty list": json([]),
  "too long a list": json([{ result: [59, LIMIT] }, { result: [58, LIMIT] }]),
  "a list of nothing": json([null]),
  "neither result nor error": json([{}]),
  "a text as result": json([{ result: "59" }]),
  "half a number": json([{ result: [58.5, LIMIT] }]),
  "more left than the limit": json([{ result: [LIMIT + 1, LIMIT] }]),
  "another limit": json([{ result: [59, 70] }]),
  "an error of Redis": json([{ error: "OOM command not allowed when used memory > 'maxmemory'" }]),
  "a refusal": json({ error: "WRONGPASS invalid or missing auth token" }, 401),
  "a failure of its own": json({ error: "internal" }, 500),
  "a failure that looks like an answer": json([{ result: [59, LIMIT] }], 500),
  "a redirect": (response) => void response.writeHead(302, { location: "https://example.com" }).end(),
  "a reset": (response) => void response.socket?.resetAndDestroy(),
  "an answer cut short": (response) => {
    response.writeHead(200, { "content-length": "100" }).write('[{"resu');
    setImmediate(() => response.destroy());
  },
  "an answer without end": (response) => pour(response),
  "headers and then silence": (response) => response.writeHead(200).flushHeaders(),
} as const satisfies Record<string, (response: ServerResponse) => void>;

describe("an Upstash that answers", () => {
  test.each(Object.entries(HTTP_ANSWERS))("%s lets the request through", async (_, answer) => {
    const server = createHttpServer((request, response) => {
      request.resume();
      response.on("error", () => undefined);
      answer(response);
    });
    const url = `http://127.0.0.1:${await listen(server)}`;
    const { ticket, line } = await takeThrough(openRestLink({ url, token: TOKEN }));
    expect(ticket).toEqual({ kind: "letThrough" });
    expect(line).toMatch(/LinkError|No answer within 500 ms/);
    expect(line).not.toContain(TOKEN);
  });

  test("without end is cut off", async () => {
    const cut = new Promise<number>((resolve) => {
      const server = createHttpServer((request, response) => {
        request.resume();
        response.on("error", () => undefined);
        const { socket } = request;
        socket.once("close", () => resolve(socket.bytesWritten));
        pour(response);
      });
      void listen(server).then((port) =>
        takeThrough(openRestLink({ url: `http://127.0.0.1:${port}`, token: TOKEN })),
      );
    });
    expect(await cut).toBeLessThan(50 * MEGABYTE.length);
  });

  test("is asked once, with the token and nothing of ours beside it", async () => {
    const heads: string[][] = [];
    const server = createHttpServer((request, response) => {
      heads.push(request.rawHeaders.map((text) => text.toLowerCase()));
      request.socket.destroy();
      response.on("error", () => undefined);
    });
    const url = `http://127.0.0.1:${await listen(server)}/`;
    await takeThrough(openRestLink({ url, token: TOKEN }));
    expect(heads).toHaveLength(1);
    expect(heads[0]).toContain(`bearer ${TOKEN}`);
    expect(heads.flat().filter((text) => text.includes("telemetry"))).toEqual([]);
  });
});

/** Replies of a server that isn't a Redis, to the command of a take. */
const TCP_ANSWERS = {
  OK: "+OK\r\n",
  "a number": ":5\r\n",
  "an empty list": "*0\r\n",
  "a list of one": "*1\r\n:5\r\n",
  "a list of texts": "*2\r\n$1\r\nx\r\n$2\r\n60\r\n",
  "no value": "$-1\r\n",
  "an error": "-MISCONF Redis is configured to save\r\n",
  "another protocol": "HTTP/1.1 400 Bad Request\r\n\r\n",
  "a list that is never complete": "*1000000000\r\n:1\r\n",
} as const;

describe("a Redis that answers", () => {
  /** Handles the start of a connection as Redis does. */
  async function startImpostor(onTake: (socket: Socket) => void): Promise<string> {
    const server = createServer((socket) => {
      socket.on("data", (chunk) => {
        for (const [, name] of String(chunk).matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g)) {
          if (name === "info") socket.write("$11\r\nredis_info:\r\n");
          else if (name === "evalsha") onTake(socket);
          else socket.write("+OK\r\n");
        }
      });
    });
    return `redis://:s3cret@127.0.0.1:${await listen(server)}`;
  }

  test.each(Object.entries(TCP_ANSWERS))("%s lets the request through", async (_, answer) => {
    const url = await startImpostor((socket) => socket.write(answer));
    const { ticket, line } = await takeThrough(openTcpLink(url));
    expect(ticket).toEqual({ kind: "letThrough" });
    expect(line).not.toMatch(/s3cret/);
  });

  test("without end is cut off", async () => {
    const cut = new Promise<number>((resolve) => {
      void startImpostor((socket) => {
        socket.write("$1000000000\r\n");
        pour(socket);
        socket.once("close", () => resolve(socket.bytesWritten));
      }).then((url) => takeThrough(openTcpLink(url)));
    });
    expect(await cut).toBeLessThan(50 * MEGABYTE.length);
  });

  test("nothing loses its connection", async () => {
    let asked = 0;
    const closed = new Promise<void>((resolve) => {
      void startImpostor((socket) => {
        asked += 1;
        socket.once("close", () => resolve());
      }).then((url) => takeThrough(openTcpLink(url)));
    });
    await closed;
    expect(asked).toBe(1);
  });

  test("with another protocol's certificate to rediss:// isn't told the password", async () => {
    const heard: Buffer[] = [];
    const server = createServer((socket) => {
      socket.on("data", (chunk: Buffer) => void heard.push(chunk));
      socket.write("+OK\r\n");
    });
    const url = `rediss://:s3cret@127.0.0.1:${await listen(server)}`;
    const { ticket } = await takeThrough(openTcpLink(url));
    expect(ticket).toEqual({ kind: "letThrough" });
    expect(Buffer.concat(heard).toString("latin1")).not.toContain("s3cret");
  });
});
