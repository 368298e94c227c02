import type { TRPCError } from "@trpc/server";
import { createOpenApiNodeHttpHandler, type OpenApiRouter } from "trpc-openapi";
import type { AppRouter } from "@/server/edge/trpc/router";
import type { Context } from "@/server/core/context";
import { isWaypostError, WaypostError } from "@/server/platform/errors";
import { errorResponse, NO_CONTENT, type PublicResponse } from "@/server/transport/envelope";
import { publicRoutes } from "./routes";

export interface BridgeCall {
  readonly method: string;
  /** Path below the base path, with the query. */
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly ctx: Context;
}

export type Bridge = (call: BridgeCall) => Promise<PublicResponse>;

/**
 * Input of the handler. It imitates the node request and the `Request` that the handler looks for, with the body
 * preset.
 */
interface PresetRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
  readonly signal: AbortSignal;
  readonly ctx: Context;
  failure: TRPCError | null;
}

/**
 * Calls procedures through trpc-openapi's node handler, which is built once. The handler's own error body can't be
 * given our envelope (and reveals internal text), so the error is caught before it and handled here.
 */
export function createBridge(router: AppRouter): Bridge {
  const statuses = new Map(publicRoutes(router).map(({ procedure, meta }) => [procedure, meta.status]));
  const handler = createOpenApiNodeHttpHandler({
    router: asOpenApiRouter(router),
    createContext: ({ req }: { req: unknown }) => asPreset(req).ctx,
    responseMeta: ({ paths, data }) => {
      const status = statuses.get(paths?.[0] ?? "") ?? 200;
      return { status: typeof status === "number" ? status : status(data[0]) };
    },
    onError: ({ error, req }: { error: TRPCError; req: unknown }) => {
      asPreset(req).failure = error;
    },
  });
  return async (call) => {
    const request = presetRequest(call);
    const response = new CapturedResponse();
    await handler(asNodeRequest(request), asNodeResponse(response));
    if (request.failure !== null) {
      return errorResponse(causeOf(request.failure, call.ctx), call.ctx.services, call.method);
    }
    const status = response.statusCode;
    return status === NO_CONTENT
      ? { status, headers: {}, body: "" }
      : { status, headers: JSON_HEADERS, body: response.body };
  };
}

const JSON_HEADERS = { "Content-Type": "application/json; charset=utf-8" } as const;
const JSON_REQUEST_HEADERS = new Headers({ "content-type": "application/json" });
const neverAborted = new AbortController().signal;

function presetRequest(call: BridgeCall): PresetRequest {
  // With this prototype, the handler uses `signal` as it is, instead of building a whole Request to get one.
  return Object.create(Request.prototype, {
    method: { value: call.method },
    url: { value: call.url },
    headers: { value: JSON_REQUEST_HEADERS },
    body: { value: call.body ?? {} },
    query: { value: undefined, writable: true },
    signal: { value: neverAborted },
    ctx: { value: call.ctx },
    failure: { value: null, writable: true },
  });
}

/** The part of a node response that the handler uses. */
class CapturedResponse {
  statusCode = 200;
  body = "";
  setHeader(): void {}
  end(body: string): void {
    this.body = body;
  }
}

/**
 * An error thrown by a procedure is already mapped. Any other error is a fault between the bridge and the procedure.
 */
function causeOf(error: TRPCError, ctx: Context): WaypostError {
  if (isWaypostError(error.cause)) return error.cause;
  ctx.services.log.error({ err: error, requestId: ctx.requestId }, "calling a procedure failed");
  return new WaypostError("internal_error", { cause: error });
}

/** Guarantee: only `createBridge` passes requests to the handler, and makes each with `presetRequest`. */
function asPreset(request: unknown): PresetRequest {
  return request as PresetRequest;
}

type Handler = ReturnType<typeof createOpenApiNodeHttpHandler>;

/** Guarantee: the handler reads method, url, headers, body, query and signal of a request, and nothing else. */
function asNodeRequest(request: PresetRequest): Parameters<Handler>[0] {
  return request as unknown as Parameters<Handler>[0];
}

/** Guarantee: the handler sets `statusCode`, calls `setHeader` and `end`, and uses nothing else. */
function asNodeResponse(response: CapturedResponse): Parameters<Handler>[1] {
  return response as unknown as Parameters<Handler>[1];
}

/** Guarantee: our router is a tRPC 11 router; the library's own type is too narrow for a typed meta. */
export function asOpenApiRouter(router: AppRouter): OpenApiRouter {
  return router as unknown as OpenApiRouter;
}
