import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";

/**
 * Mounts a handler of the Fetch API on node's own server. The handler sees the path below an origin of this machine,
 * never one that the client sends in a header.
 */
export function fetchNodeMount(handle: (request: Request, address: string | null) => Promise<Response>) {
  return async (req: IncomingMessage, res: ServerResponse, address: string | null = null): Promise<void> => {
    const answer = await handle(requestOf(req), address);
    const body = Buffer.from(await answer.arrayBuffer());
    if (res.destroyed) return;
    res.setHeaders(answer.headers);
    // RFC 9112 section 6.2: content length and transfer encoding exclude each other.
    res.removeHeader("Transfer-Encoding");
    res.writeHead(answer.status, { "Content-Length": body.byteLength });
    res.end(req.method === "HEAD" ? undefined : body);
    if (!req.complete) req.resume();
  };
}

/**
 * Like `fetchNodeMount`, for responses of any length. They are sent while they are produced, and produced as fast as
 * they are read. If the reader disconnects, the body is cancelled. If the body fails, the connection is broken off.
 */
export function streamNodeMount(handle: (request: Request, address: string | null) => Promise<Response>) {
  return async (req: IncomingMessage, res: ServerResponse, address: string | null = null): Promise<void> => {
    const answer = await handle(requestOf(req), address);
    if (res.destroyed) {
      await answer.body?.cancel();
      return;
    }
    res.setHeaders(answer.headers);
    res.writeHead(answer.status);
    if (!req.complete) req.resume();
    if (answer.body === null) {
      res.end();
      return;
    }
    // An early disconnect is no error. After a failure, the end of the connection is the only sign left.
    await pipeline(Readable.fromWeb(nodeStreamOf(answer.body)), res).catch(() => res.destroy());
  };
}

/** Guarantee: the same stream; Node's type of web streams and that of the Fetch API only differ by name. */
function nodeStreamOf(body: ReadableStream<Uint8Array>): NodeReadableStream<Uint8Array> {
  return body as NodeReadableStream<Uint8Array>;
}

const ORIGIN = "http://localhost";

function requestOf(req: IncomingMessage): Request {
  const method = req.method ?? "GET";
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  const url = new URL(req.url ?? "/", ORIGIN);
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers });
  const init: RequestInit & { readonly duplex: "half" } = {
    method,
    headers,
    duplex: "half",
    body: bytesOf(req),
  };
  return new Request(url, init);
}

/** Guarantee: the same chunks; Node's type of web streams and that of the Fetch API only differ by name. */
function bytesOf(req: IncomingMessage): ReadableStream<Uint8Array> {
  return Readable.toWeb(req) as ReadableStream<Uint8Array>;
}
