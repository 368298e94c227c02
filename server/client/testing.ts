import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { Waypost } from "./client.js";
import type { WaypostOptions } from "./options.js";

export const KEY = "ak_live_0123456789abcdefghijklmnopqrstuvwxyz";

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Answers a request, or doesn't. */
export type Answer = (response: ServerResponse, request: Received) => unknown;

export interface ScriptedServer {
  readonly url: string;
  /** In the order in which they arrived. */
  readonly requests: readonly Received[];
  /** A client of this server, whose retries don't wait. */
  client(options?: Partial<WaypostOptions>): Waypost;
  close(): Promise<void>;
}

/** Starts a server that gives each request the next of these answers. The last one is for all further requests. */
export async function startScripted(...answers: readonly Answer[]): Promise<ScriptedServer> {
  const requests: Received[] = [];
  const server = createServer((incoming, response) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    const { method = "", url: path = "", headers } = incoming;
    const place = requests.push({ method, path, headers, body: Buffer.alloc(0) }) - 1;
    const received = (body: Buffer) => {
      const request = { method, path, headers, body };
      requests[place] = request;
      return answer?.(response, request);
    };
    // A client that leaves half way is part of what is tested.
    buffer(incoming).then(received, () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${portOf(server.address())}`;
  return {
    url,
    requests,
    client: (options = {}) => new Waypost({ apiKey: KEY, baseUrl: url, ...options }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function portOf(address: string | AddressInfo | null): number {
  if (typeof address === "object" && address !== null) return address.port;
  throw new Error("The server has no port");
}

/** An answer of Waypost. */
export function json(status: number, body: object, headers: Record<string, string> = {}): Answer {
  return (response) =>
    response
      .writeHead(status, {
        "Content-Type": "application/json",
        "X-Request-Id": `request-${status}`,
        ...headers,
      })
      .end(JSON.stringify(body));
}

/** A refusal of Waypost. */
export function refusal(status: number, code: string, headers: Record<string, string> = {}): Answer {
  return json(status, { error: { code, message: `It is ${code}.`, resend: "later" } }, headers);
}

/** The connection breaks after the request has arrived. */
export const breakOff: Answer = (response) => response.socket?.destroy();

/** No answer, ever. */
export const hang: Answer = () => undefined;

export const MESSAGE = {
  client_message_id: "order-4711-shipped",
  type: "text",
  to: { kind: "whatsapp", handle: "4915112345678" },
  text: { body: "Your parcel is on its way." },
} as const;

export const ACCEPTED = {
  message_id: "0198f0a4-5b5e-7c3a-9d1f-2f6f0a3c8e11",
  client_message_id: MESSAGE.client_message_id,
  thread_id: "0198f0a4-5b3c-7f14-8a52-64f1b7c2d905",
  contact_id: "0198f0a4-5b3b-7a60-b7de-91c0a4e3f722",
  delivery_state: "queued",
  deduplicated: false,
} as const;

/** Returns what a call throws. @throws Error if it doesn't. */
export async function errorOf(call: Promise<unknown>): Promise<unknown> {
  const result = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ("error" in result) return result.error;
  throw new Error(`It returned ${JSON.stringify(result.value)}`);
}
