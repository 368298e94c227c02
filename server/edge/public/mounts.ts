import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { bodyOf } from "@/server/transport/file-answer";
import { streamOf } from "@/server/transport/body";
import { NO_CONTENT } from "@/server/transport/envelope";
import type { PublicHandler, PublicRequest } from "./handle";

/**
 * Mounts the public API on node's own server, which is the fast way.
 * @param addressOf finds the address that a request came from. Defaults to the address of the connection.
 */
export function nodeMount(
  handle: PublicHandler,
  addressOf: (req: IncomingMessage) => string | null = ({ socket }) => socket.remoteAddress ?? null,
) {
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const request: PublicRequest = {
      method: req.method ?? "GET",
      url: req.url ?? "/",
      header: (name) => {
        const value = req.headers[name];
        return Array.isArray(value) ? value.join(", ") : value;
      },
      body: () => req.iterator({ destroyOnReturn: false }),
      remoteAddress: addressOf(req) ?? undefined,
      hasLeft: () => req.socket.destroyed,
    };
    const { status, headers, body, file } = await handle(request);
    if (res.destroyed) return;
    if (file) {
      res.writeHead(status, headers);
      req.resume();
      // An early disconnect is no error. After a failure, the end of the connection is the only sign left.
      return pipeline(Readable.from(file.read()), res).catch(() => void res.destroy());
    }
    // RFC 9110 section 8.6: a response that can't have a body must not declare a length.
    const length = status === NO_CONTENT ? {} : { "Content-Length": Buffer.byteLength(body) };
    res.writeHead(status, { ...headers, ...length });
    if (!req.complete && headers.Connection !== "close") {
      res.write(body);
      await dropRest(req);
      res.end();
    } else {
      res.end(body);
      req.resume();
    }
  };
}

/** Time for a client whose body was refused half way to send the rest. */
const REST_MAX_MS = 30_000;

/**
 * Reads and drops the rest of an unneeded body. Many clients read the response only after they have sent everything,
 * and closing the connection earlier would lose the response (RFC 9112 section 9.6).
 */
function dropRest(req: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => req.destroy(), REST_MAX_MS).unref();
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    req.once("end", done).once("close", done).resume();
  });
}

/** Mounts the same handler on the Fetch API: Next's route handler. */
export function fetchMount(handle: PublicHandler) {
  return async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const { status, headers, body, file } = await handle({
      method: request.method,
      url: url.pathname + url.search,
      header: (name) => request.headers.get(name) ?? undefined,
      body: () => streamOf(request),
      remoteAddress: undefined,
      hasLeft: () => request.signal.aborted,
    });
    if (file) {
      void dropRestOf(request);
      return new Response(bodyOf(file), { status, headers });
    }
    const content = request.method === "HEAD" || status === NO_CONTENT ? null : body;
    // Next asks the client for the body only when it is read. If it wasn't read, there is no rest to wait for.
    if (content === null || !request.bodyUsed || headers.Connection === "close") {
      void dropRestOf(request);
      return new Response(content, { status, headers });
    }
    const length = { "Content-Length": String(Buffer.byteLength(content)) };
    return new Response(endedAfter(content, dropRestOf(request)), {
      status,
      headers: { ...headers, ...length },
    });
  };
}

/** A response that is sent immediately, and whose end waits for the rest of its request. */
function endedAfter(content: string, rest: Promise<void>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode(content));
      await rest;
      controller.close();
    },
  });
}

/** `dropRest` for a Fetch request. */
async function dropRestOf({ body }: Request): Promise<void> {
  if (body === null || body.locked) return;
  const signal = AbortSignal.timeout(REST_MAX_MS);
  await body.pipeTo(new WritableStream(), { signal }).catch(() => undefined);
}
