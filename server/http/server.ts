import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import { newId } from "@/db/schema";
import { WaypostError } from "../errors";
import { nodeMount } from "../public-api/mounts";
import { BASE_PATH } from "../public-api/routes";
import type { Runtime } from "../runtime";
import { RECEIVE_TIMEOUT_MS } from "../uploads/receive";
import { callbackNodeMount } from "../whatsapp/callbacks/mounts";
import { fetchNodeMount } from "./fetch-mount";
import { healthAnswer, type Readiness, readinessAnswer } from "./health";
import {
  HEADER_BYTES_MAX,
  hostFault,
  refuse,
  refuseExpectation,
  refuseMalformed,
  refuseTunnel,
} from "./refuse";
import { servedBy } from "./served-by";

type NodeHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

export interface HttpOptions {
  readonly runtime: Runtime;
  /** Next's request handler: pages, and every route that isn't answered before it. */
  readonly next: NodeHandler;
  readonly readiness: () => Promise<Readiness>;
  readonly requestTimeoutMs?: number;
}

/** Longest time for a whole request to arrive. Bodies of the public API have limits of their own, files the longest. */
const REQUEST_TIMEOUT_MS = 30_000;
const FILE_TIMEOUT_MS = RECEIVE_TIMEOUT_MS + REQUEST_TIMEOUT_MS;
const HEADERS_TIMEOUT_MS = 15_000;
/** Longer than the idle time of common proxies, so that they never send into a connection that is being closed. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const OPTIONS = {
  maxHeaderSize: HEADER_BYTES_MAX,
  // Node would refuse it without the envelope.
  requireHostHeader: false,
  // Node would keep the first of two keys, and nobody would see the other.
  joinDuplicateHeaders: true,
} as const satisfies ServerOptions;
const INNGEST_PATH = "/api/inngest";
const CALLBACK_PATH = /^\/api\/upstream\/whatsapp\/([^/?]+)$/;

/**
 * Node's server: the public API and the upstream's callbacks are answered here, several times faster than through
 * Next, which answers everything else. What a process of this role doesn't serve is 404.
 */
export function createHttpServer(options: HttpOptions): Server {
  const { runtime, next, readiness, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const { config, log } = runtime.services;
  const publicApi = nodeMount(runtime.publicApi.handle);
  const callbacks = callbackNodeMount(runtime.whatsapp.callbacks.take);
  const inngest = fetchNodeMount(runtime.inngest.fetch);

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const fault = hostFault(req);
    if (fault) return refuse(res, fault, runtime.services);
    const [path = "", query = ""] = (req.url ?? "/").split("?", 2);
    if (path === "/healthz") return healthAnswer(res);
    if (path === "/readyz") return readinessAnswer(res, await readiness());
    if (!isBelow(path, BASE_PATH)) mustArriveWithin(req, requestTimeoutMs);
    if (!servedBy(config.role, path)) return refuse(res, new WaypostError("not_found"), runtime.services);
    if (config.publicApiMount === "node" && isBelow(path, BASE_PATH)) return publicApi(req, res);
    const channelId = CALLBACK_PATH.exec(path)?.[1];
    if (channelId !== undefined) return callbacks(req, res, channelId, query);
    if (path === INNGEST_PATH) return inngest(req, res);
    return next(req, res);
  }

  const server = createServer(OPTIONS, (req, res) => {
    answer(req, res).catch((error: unknown) => {
      const requestId = newId();
      log.error({ err: error, requestId, method: req.method }, "a request could not be answered");
      if (res.headersSent) res.destroy();
      else refuse(res, new WaypostError("internal_error"), runtime.services, requestId);
    });
  });
  server.requestTimeout = FILE_TIMEOUT_MS;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  // Beyond a number Node would drop headers unseen; their size is limited.
  server.maxHeadersCount = 0;
  server.on("checkExpectation", (_, res) => refuseExpectation(res, runtime.services));
  server.on("connect", (_, socket) => refuseTunnel(socket, runtime.services));
  server.on("clientError", (error, socket) => refuseMalformed(error, socket, runtime.services));
  return server;
}

/** Cuts the connection of a client that takes longer. */
function mustArriveWithin(req: IncomingMessage, timeoutMs: number): void {
  if (req.complete) return;
  const timer = setTimeout(() => {
    if (!req.complete) req.destroy();
  }, timeoutMs).unref();
  req.once("close", () => clearTimeout(timer));
}

function isBelow(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}
