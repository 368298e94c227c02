import { isDatabaseUnavailable } from "@/db/errors";
import { unavailable } from "@/server/core/procedure";
import type { Services } from "@/server/core/context";
import { isWaypostError, remedyInUi, WaypostError } from "@/server/platform/errors";
import { envelope, errorResponse } from "./envelope";

/** The error response, with the remedy, for a page's request that fails before it reaches a procedure. */
export function pageErrorResponse(services: Services, requestId: string, error: unknown): Response {
  const known = knownFailure(services, requestId, error);
  const { status, headers } = errorResponse(known, services);
  const { error: publicError } = envelope(known, services.urls.documentation(known.code));
  const body = { error: { ...publicError, remedy: remedyInUi(known.code) } };
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, "X-Request-Id": requestId },
  });
}

/**
 * Converts an error of a page to one of the catalogue. Only the log gets the cause: code that prints the error, as Next
 * does, would also print the database statements.
 */
export function knownFailure(services: Services, requestId: string, error: unknown): WaypostError {
  if (isWaypostError(error) && error.code !== "internal_error") return error;
  if (isDatabaseUnavailable(error)) return unavailable();
  const err = isWaypostError(error) ? error.cause : error;
  services.log.error({ err, requestId }, "a page request failed");
  return new WaypostError("internal_error");
}
