import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { newId } from "@/db/schema";
import { WaypostError } from "../errors";
import { errorResponse } from "../public-api/envelope";
import { nodeMount } from "../public-api/mounts";
import { BASE_PATH } from "../public-api/routes";
import type { Runtime } from "../runtime";
import { callbackNodeMount } from "../whatsapp/callbacks/mounts";
import { healthAnswer, type Readiness, readinessAnswer } from "./health";
import { servedBy } from "./served-by";

type NodeHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

export interface HttpOptions {
  readonly runtime: Runtime;
  /** Next's request handler: pages, and every route that isn't answered before it. */
  readonly next: NodeHandler;
  readonly readiness: () => Promise<Readiness>;
}

/** Longest time for a whole request to arrive; bodies of the public API have a shorter one of their own. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 15_000;
/** Longer than the idle time of common proxies, so that they never send into a connection that is being closed. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const CALLBACK_PATH = /^\/api\/upstream\/whatsapp\/([^/?]+)$/;

/**
 * Node's server: the public API and the upstream's callbacks are answered here, several times faster than through
 * Next, which answers everything else. What a process of this role doesn't serve is 404.
 */
export function createHttpServer({ runtime, next, readiness }: HttpOptions): Server {
  const { config, log } = runtime.services;
  const publicApi = nodeMount(runtime.publicApi.handle);
  const callbacks = callbackNodeMount(runtime.whatsapp.callbacks.take);

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const [path = "", query = ""] = (req.url ?? "/").split("?", 2);
    if (path === "/healthz") return healthAnswer(res);
    if (path === "/readyz") return readinessAnswer(res, await readiness());
    if (!servedBy(config.role, path)) return notServed(res);
    if (config.publicApiMount === "node" && isBelow(path, BASE_PATH)) return publicApi(req, res);
    const channelId = CALLBACK_PATH.exec(path)?.[1];
    if (channelId !== undefined) return callbacks(req, res, channelId, query);
    return next(req, res);
  }

  const server = createServer((req, res) => {
    answer(req, res).catch((error: unknown) => {
      log.error({ err: error, method: req.method }, "a request could not be answered");
      if (res.headersSent) res.destroy();
      else respond(res, new WaypostError("internal_error"));
    });
  });
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  server.on("clientError", refuseMalformed);
  return server;
}

function isBelow(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}

function notServed(res: ServerResponse): void {
  respond(res, new WaypostError("not_found"));
}

function respond(res: ServerResponse, error: WaypostError): void {
  const { status, headers, body } = errorResponse(error);
  res.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body), "X-Request-Id": newId() });
  res.end(body);
}

/** What isn't HTTP gets the envelope too, as far as the connection still takes an answer. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const isLate = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const { status, body } = errorResponse(
    isLate
      ? new WaypostError("request_timeout")
      : new WaypostError("validation_failed", { message: "The request isn't valid HTTP." }),
  );
  socket.end(
    `HTTP/1.1 ${status} ${isLate ? "Request Timeout" : "Bad Request"}\r\nConnection: close\r\nX-Request-Id: ${newId()}\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
