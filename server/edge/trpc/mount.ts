import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { newId } from "@/db/schema";
import { personOf } from "@/server/domain/auth/session";
import type { Caller, Services } from "@/server/core/context";
import { pageErrorResponse } from "@/server/transport/page-error";
import { requireSameOrigin } from "@/server/transport/same-origin";
import { memberOf } from "@/server/domain/members/find";
import { readBody, streamOf } from "@/server/transport/body";
import { wallClock } from "@/server/lib/wall-clock";
import type { AppRouter } from "./router";

export const TRPC_PATH = "/api/trpc";
/** Names the organization of a page. */
const ORGANIZATION_HEADER = "x-organization-id";

/** By how many milliseconds the clock of a demo is ahead, if it was moved: open pages follow it. */
const CLOCK_HEADER = "X-Clock-Ahead-Ms";

/** Larger than any page's batch. app/ui/trpc.tsx splits larger ones. */
const BATCH_MAX = 30;
const BODY_LIMITS = { bytesMax: 256 * 1024, timeoutMs: 10_000 } as const;

/** The procedures for pages, authorized by the session cookie, as a member of the organization in the header. */
export function trpcMount(services: Services, router: AppRouter) {
  return async (request: Request, address: string | null): Promise<Response> => {
    const requestId = newId();
    try {
      requireSameOrigin(request, services.config.publicUrl);
      const req = await plainRequest(request);
      // Not in tRPC's own hook, which would show the page the database's error message.
      const organizationId = request.headers.get(ORGANIZATION_HEADER);
      const cookies: string[] = [];
      const renew = (cookie: string) => void cookies.push(cookie);
      const caller = await callerOf(services, request.headers, { organizationId, requestId, address, renew });
      const response = await fetchRequestHandler({
        endpoint: TRPC_PATH,
        req,
        router,
        maxBatchSize: BATCH_MAX,
        createContext: () => caller,
      });
      for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
      response.headers.set("Cache-Control", "no-store");
      response.headers.set("X-Request-Id", requestId);
      if (wallClock.aheadMs() > 0) response.headers.set(CLOCK_HEADER, String(wallClock.aheadMs()));
      return response;
    } catch (error) {
      return pageErrorResponse(services, requestId, error);
    }
  };
}

/** Identifies the caller: no one, a person, or a person as a member of an organization. See `personOf` for `renew`. */
export async function callerOf(
  services: Services,
  headers: Headers,
  about: {
    organizationId: string | null;
    requestId: string;
    address: string | null;
    renew?: (cookie: string) => void;
  },
): Promise<Caller> {
  const { organizationId, requestId, address, renew } = about;
  const person = await personOf(services, headers, address, renew);
  const actor =
    person === null || organizationId === null ? null : await memberOf(services, person, organizationId);
  return { services, actor, person, address, requestId };
}

/**
 * Returns the request with its whole body, for one JSON response. tRPC would otherwise respond in parts to a request
 * for a stream.
 */
async function plainRequest(request: Request): Promise<Request> {
  const { url, method } = request;
  const headers = new Headers(request.headers);
  headers.delete("trpc-accept");
  headers.set("accept", "application/json");
  if (method !== "POST") return new Request(url, { method, headers });
  const body = await readBody(streamOf(request), BODY_LIMITS);
  return new Request(url, { method, headers, body: new Uint8Array(body) });
}
