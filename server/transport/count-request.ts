import type { ServerResponse } from "node:http";
import { METHODS } from "@/server/adapters/metrics/catalogue";
import type { Metrics } from "@/server/adapters/metrics/metrics";
import { BASE_PATH } from "@/server/platform/addresses";

export interface AnsweredRequest {
  /** A route template, never the requested path. */
  readonly route: string;
  readonly method: string;
  /** `aborted` if the client disconnected before the response. */
  readonly status: number | "aborted";
  readonly durationMs: number;
}

/** Returns the method if it is one of those that are counted separately. */
export function knownMethod(asked: string): (typeof METHODS)[number] {
  return METHODS.find((one) => one === asked) ?? "other";
}

export function countRequest(
  metrics: Metrics,
  { route, method: asked, status, durationMs }: AnsweredRequest,
): void {
  const method = knownMethod(asked);
  metrics.count("waypost_http_requests_total", { route, method, status: String(status) });
  metrics.observe("waypost_http_request_duration_seconds", { route }, durationMs / 1000);
}

const counted = new WeakSet<ServerResponse>();

/** Counts a request when its connection is done with it. Counts it once, with the route of the first call. */
export function countWhenAnswered(
  metrics: Metrics,
  res: ServerResponse,
  { route, method = "" }: { route: string; method: string | undefined },
): void {
  if (counted.has(res)) return;
  counted.add(res);
  const startedAt = performance.now();
  res.once("close", () => {
    const status = res.headersSent ? res.statusCode : "aborted";
    countRequest(metrics, { route, method, status, durationMs: performance.now() - startedAt });
  });
}

/** Routes outside the public API. The first match counts. */
const ROUTES = [
  { prefix: "/healthz", route: "/healthz" },
  { prefix: "/readyz", route: "/readyz" },
  { prefix: "/metrics", route: "/metrics" },
  { prefix: "/api/upstream/whatsapp/", route: "/api/upstream/whatsapp/{channel_id}" },
  { prefix: "/api/demo/inbox/", route: "/api/demo/inbox/{organization_id}" },
  { prefix: "/api/trpc", route: "/api/trpc" },
  { prefix: "/api/export", route: "/api/export" },
  { prefix: "/api/files", route: "/api/files" },
  { prefix: "/api/auth", route: "/api/auth" },
  { prefix: "/api/inngest", route: "/api/inngest" },
  { prefix: "/_next/", route: "/_next/*" },
  { prefix: "/docs", route: "/docs/*" },
  { prefix: `${BASE_PATH}/`, route: `${BASE_PATH}/*` },
  { prefix: "/api/", route: "/api/*" },
  { prefix: "/", route: "/*" },
] as const;

export function routeOf(path: string): string {
  return ROUTES.find(({ prefix }) => path.startsWith(prefix))?.route ?? "/*";
}
