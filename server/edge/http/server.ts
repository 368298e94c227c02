import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { Logger } from "pino";
import { newId } from "@/db/schema";
import { TRPC_PATH } from "@/server/edge/trpc/mount";
import { AUTH_PATH } from "@/server/domain/auth/auth";
import { INBOX_PATH } from "@/server/core/service-urls";
import { WaypostError } from "@/server/platform/errors";
import { nodeMount } from "@/server/edge/public/mounts";
import { BASE_PATH } from "@/server/platform/addresses";
import { EXPORT_PATH } from "@/server/edge/exports/mount";
import { FILES_PATH } from "@/server/edge/files/mount";
import type { Services } from "@/server/core/context";
import type { PublicHandler } from "@/server/edge/public/handle";
import type { CallbackRequest } from "@/server/edge/callbacks/intake";
import type { PublicResponse } from "@/server/transport/envelope";
import { logThrottleOf } from "@/server/lib/log-throttle";
import { RECEIVE_TIMEOUT_MS } from "@/server/domain/uploads/receive";
import { callbackNodeMount } from "@/server/edge/callbacks/mounts";
import { createAddressFinder, createSchemeFinder } from "@/server/transport/client-address";
import { fetchNodeMount, streamNodeMount } from "./fetch-mount";
import { connectionsMax } from "./connections-max";
import { countWhenAnswered, routeOf } from "@/server/transport/count-request";
import {
  healthAnswer,
  metricsAnswer,
  type MetricsMount,
  type Readiness,
  readinessAnswer,
} from "@/server/transport/health";
import {
  HEADER_BYTES_MAX,
  hostFault,
  refuse,
  refuseExpectation,
  refuseMalformed,
  refuseTunnel,
} from "@/server/transport/refuse";
import { securePages } from "@/server/transport/page-headers";
import { servedBy } from "@/server/platform/served-by";
import { isBelow, originForm, errorBeforeNext, methodError } from "@/server/transport/target";

type NodeHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

type FetchByAddress = (request: Request, address: string | null) => Promise<Response>;

/** The parts of a process's runtime that handle requests. */
export interface HttpRuntime {
  readonly services: Services;
  readonly publicApi: { readonly handle: PublicHandler };
  readonly whatsapp: {
    readonly callbacks: { take(channelId: string, request: CallbackRequest): Promise<PublicResponse> };
  };
  readonly inngest: { fetch(request: Request): Promise<Response> };
  /** tRPC, exports, files and sign-in of pages. Each receives the address that the request came from. */
  readonly trpc: { readonly fetch: FetchByAddress };
  readonly exports: { readonly fetch: FetchByAddress };
  readonly files: { readonly fetch: FetchByAddress };
  readonly auth: { readonly fetch: FetchByAddress };
  /** Receives the webhooks of demo organizations. */
  readonly demoInbox: { fetch(request: Request): Promise<Response> };
}

export interface HttpOptions {
  readonly runtime: HttpRuntime;
  /** Next's request handler: pages, and every route that isn't handled before it. */
  readonly next: NodeHandler;
  readonly readiness: () => Promise<Readiness>;
  /** Dependencies of `/metrics`. If absent, the path doesn't exist. */
  readonly metrics?: MetricsMount;
  readonly requestTimeoutMs?: number;
  readonly responseStallMs?: number;
  /** Next compiles pages while it serves them. */
  readonly isDevelopment?: boolean;
}

/** Longest time for a whole request to arrive. Bodies of the public API have their own limits, files the longest. */
const REQUEST_TIMEOUT_MS = 30_000;
const FILE_TIMEOUT_MS = RECEIVE_TIMEOUT_MS + REQUEST_TIMEOUT_MS;
const HEADERS_TIMEOUT_MS = 15_000;
/** Longest pause of a client that has more of its response to read. */
const RESPONSE_STALL_MS = 60_000;
/**
 * How often Node checks for connections that exceed their time. Its default of half a minute would be added to that
 * time.
 */
const TIMEOUTS_EVERY_MS = 1_000;
/** Longer than the idle time of common proxies, so that they never send into a connection that is being closed. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const OPTIONS = {
  maxHeaderSize: HEADER_BYTES_MAX,
  connectionsCheckingInterval: TIMEOUTS_EVERY_MS,
  // Otherwise Node would refuse it without the envelope.
  requireHostHeader: false,
  // Otherwise Node would silently keep the first of two keys.
  joinDuplicateHeaders: true,
} as const satisfies ServerOptions;
const INNGEST_PATH = "/api/inngest";
const CALLBACK_PATH = /^\/api\/upstream\/whatsapp\/([^/?]+)$/;

/**
 * Node's server. It handles the public API, callbacks, tRPC, sign-in, exports, health and metrics itself, much faster
 * than Next.js would, and passes pages to Next.js. A path that a process of this role doesn't serve gets a 404.
 */
export function createHttpServer(options: HttpOptions): Server {
  const { runtime, readiness } = options;
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS, responseStallMs = RESPONSE_STALL_MS } = options;
  const { config, log, metrics } = runtime.services;
  const publicApi = nodeMount(runtime.publicApi.handle, createAddressFinder(config.trustedProxies));
  const callbacks = callbackNodeMount(runtime.whatsapp.callbacks.take);
  const inngest = fetchNodeMount((request) => runtime.inngest.fetch(request));
  const ofPages = mountsOfPages(runtime);

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const target = originForm(req.url ?? "/");
    const [path = "", query = ""] = (target ?? "").split("?", 2);
    // The public API counts its own requests by route template, on either server. `refuse` counts requests that don't
    // get that far.
    if (!isBelow(path, BASE_PATH))
      countWhenAnswered(metrics, res, { route: routeOf(path), method: req.method });
    const fault = hostFault(req);
    if (fault) return refuse(res, fault, runtime.services);
    if (target === null) return refuse(res, new WaypostError("not_found"), runtime.services);
    req.url = target;
    if (path === "/healthz") return healthAnswer(req, res);
    if (path === "/readyz") return readinessAnswer(req, res, readiness);
    if (path === "/metrics" && options.metrics) return metricsAnswer(req, res, options.metrics);
    if (!isBelow(path, BASE_PATH) && !isBelow(path, FILES_PATH)) mustArriveWithin(req, requestTimeoutMs);
    if (!servedBy(config.role, path)) return refuse(res, new WaypostError("not_found"), runtime.services);
    if (config.publicApiMount === "node" && isBelow(path, BASE_PATH)) return publicApi(req, res);
    const channelId = CALLBACK_PATH.exec(path)?.[1];
    if (channelId !== undefined) return callbacks(req, res, channelId, query);
    const ofPage = ofPages.find(({ base }) => isBelow(path, base));
    const error = ofPage
      ? methodError(req.method)
      : errorBeforeNext(req.method, path, config.publicApiMount === "next");
    if (error) return refuse(res, error, runtime.services);
    if (ofPage) return ofPage.answer(req, res);
    if (path === INNGEST_PATH) return inngest(req, res);
    return askNext(req, res, path, options);
  }

  const server = createServer(OPTIONS, (req, res) => {
    mustReadOn(res, responseStallMs);
    answer(req, res).catch((error: unknown) => {
      const requestId = newId();
      log.error({ err: error, requestId, method: req.method }, "answering a request failed");
      if (res.headersSent) res.destroy();
      else refuse(res, new WaypostError("internal_error"), runtime.services, requestId);
    });
  });
  limitConnections(server, log);
  server.on("checkExpectation", (_, res) => refuseExpectation(res, runtime.services));
  server.on("connect", (_, socket) => void refuseTunnel(socket, runtime.services));
  server.on("clientError", (error, socket) => void refuseMalformed(error, socket, runtime.services));
  return answeringHalfClosed(server);
}

function limitConnections(server: Server, log: Logger): void {
  server.requestTimeout = FILE_TIMEOUT_MS;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  // With a limit, Node would silently drop headers. Their total size is limited.
  server.maxHeadersCount = 0;
  const most = connectionsMax();
  // Above the maximum, Node closes a new connection immediately.
  if (most === Number.POSITIVE_INFINITY) return;
  server.maxConnections = most;
  server.on("drop", () => {
    const suppressed = logThrottleOf(log)("connections refused");
    if (suppressed !== null)
      log.warn(
        { connectionsMax: most, suppressed },
        "connections are refused: raise the limit of open files",
      );
  });
}

function askNext(
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
  { runtime, next, isDevelopment = false }: HttpOptions,
): Promise<void> {
  const { publicUrl } = runtime.services.config;
  if (!isBelow(path, BASE_PATH)) securePages(req, res, { path, publicUrl, isDevelopment });
  return next(req, res);
}

/** Requests of pages that are authorized by the session cookie, and the demo's webhook inbox, which a page shows. */
function mountsOfPages({ services, trpc, exports, files, auth, demoInbox }: HttpRuntime) {
  const { trustedProxies } = services.config;
  const [addressOf, schemeOf] = [createAddressFinder(trustedProxies), createSchemeFinder(trustedProxies)];
  return [
    { base: TRPC_PATH, mount: fetchNodeMount(trpc.fetch) },
    { base: EXPORT_PATH, mount: streamNodeMount(exports.fetch) },
    { base: FILES_PATH, mount: streamNodeMount(files.fetch) },
    { base: AUTH_PATH, mount: fetchNodeMount(auth.fetch) },
    { base: INBOX_PATH, mount: fetchNodeMount(demoInbox.fetch) },
  ].map(({ base, mount }) => ({
    base,
    answer: (req: IncomingMessage, res: ServerResponse) => {
      res.setHeader("X-Content-Type-Options", "nosniff");
      // From here on, the header can be trusted.
      req.headers["x-forwarded-proto"] = schemeOf(req);
      return mount(req, res, addressOf(req));
    },
  }));
}

/**
 * A client may close its sending side after its requests and still wait for the responses (RFC 9293 section 3.6). This
 * property of Node's, which has no type, keeps the server from closing its own side before it has responded.
 */
function answeringHalfClosed(server: Server): Server {
  return Object.assign(server, { httpAllowHalfOpen: true });
}

/**
 * Closes the connection of a client that stops reading, which would hold the file or the query behind its response
 * open. A pause of the source has no limit here.
 */
function mustReadOn(res: ServerResponse, stallMs: number): void {
  res.setTimeout(stallMs, () => {
    if (res.writableNeedDrain) res.destroy();
  });
}

/** Closes the connection of a client that takes longer. */
function mustArriveWithin(req: IncomingMessage, timeoutMs: number): void {
  if (req.complete) return;
  const timer = setTimeout(() => {
    if (!req.complete) req.destroy();
  }, timeoutMs).unref();
  req.once("close", () => clearTimeout(timer));
}
