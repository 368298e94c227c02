import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";

/**
 * Mounts a handler of the Fetch API on node's own server. It sees the path below an origin of this machine's own, never
 * one that the caller names in a header.
 */
export function fetchNodeMount(handle: (request: Request) => Promise<Response>) {
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const answer = await handle(requestOf(req));
    const body = Buffer.from(await answer.arrayBuffer());
    if (res.destroyed) return;
    res.writeHead(answer.status, {
      ...Object.fromEntries(answer.headers),
      "Content-Length": body.byteLength,
    });
    res.end(req.method === "HEAD" ? undefined : body);
    if (!req.complete) req.resume();
  };
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
