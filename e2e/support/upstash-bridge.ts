import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Redis } from "ioredis";

/** Serves Upstash's REST protocol in front of a plain Redis. */
export interface UpstashBridge {
  /** A value for UPSTASH_REDIS_REST_URL. */
  readonly url: string;
  /** A value for UPSTASH_REDIS_REST_TOKEN. After a change, the old one is refused from the next request on. */
  token: string;
  /** Number of received requests. */
  readonly requests: () => number;
  close(): Promise<void>;
}

type Reply = { readonly result: unknown } | { readonly error: string };
type Command = [string, ...string[]];

/**
 * https://upstash.com/docs/redis/features/restapi: one command as the body of `POST /`, several of `POST /pipeline`. Of
 * Upstash's own additions it supports the flag `allow-key-locking` at the head of a script, which it removes.
 */
export async function startUpstashBridge(redisUrl: string): Promise<UpstashBridge> {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 0, retryStrategy: () => 50 });
  redis.on("error", () => undefined);
  const scripts = new Map<string, string>();
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    answer(request, response).catch(() => response.destroy());
  });

  async function run(command: Command): Promise<Reply> {
    const [name, script = "", ...values] = command;
    try {
      if (name.toLowerCase() === "evalsha") {
        return { result: await redis.call(name, scripts.get(script) ?? script, ...values) };
      }
      if (name.toLowerCase() !== "eval") return { result: await redis.call(...command) };
      const plain = script.replace(/^#!lua flags=allow-key-locking\n/, "");
      scripts.set(sha1(script), sha1(plain));
      return { result: await redis.call(name, plain, ...values) };
    } catch (error) {
      return { error: error instanceof Error ? error.message : "ERR" };
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: unknown = JSON.parse(await text(request));
    if (request.headers.authorization !== `Bearer ${bridge.token}`) {
      return reply(response, 401, { error: "WRONGPASS invalid or missing auth token" });
    }
    if (request.url === "/pipeline") {
      return reply(response, 200, await Promise.all(asCommands(body).map(run)));
    }
    const [one] = asCommands([body]);
    const result = one === undefined ? { error: "ERR empty command" } : await run(one);
    reply(response, "error" in result ? 400 : 200, result);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const bridge: UpstashBridge = {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    token: "token-of-the-bridge",
    requests: () => requests,
    async close() {
      redis.disconnect();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return bridge;
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function asCommands(body: unknown): Command[] {
  if (!Array.isArray(body)) throw new Error("No commands");
  return body.map((command) => {
    if (!Array.isArray(command)) throw new Error("No command");
    const [name, ...values] = command.map(String);
    return [name ?? "", ...values];
  });
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("The bridge has no port");
  return address.port;
}

function sha1(script: string): string {
  return createHash("sha1").update(script).digest("hex");
}
