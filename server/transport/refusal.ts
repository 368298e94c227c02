import { isDatabaseUnavailable } from "@/db/errors";
import { unavailable } from "@/server/core/procedure";
import type { Services } from "@/server/core/context";
import { isWaypostError, remedyOnPages, WaypostError } from "@/server/platform/errors";
import { envelope, errorResponse } from "./envelope";

/** The envelope with what to do, for what fails of a page before there is a procedure. */
export function refusal(services: Services, requestId: string, error: unknown): Response {
  const known = knownFailure(services, requestId, error);
  const { status, headers } = errorResponse(known, services);
  const { error: told } = envelope(known, services.docUrl(known.code));
  const body = { error: { ...told, remedy: remedyOnPages(known.code) } };
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, "X-Request-Id": requestId },
  });
}

/**
 * What fails of a page, as an error of the catalogue. The log alone is told why: who prints the error, as Next does, would
 * print what the database was asked, too.
 */
export function knownFailure(services: Services, requestId: string, error: unknown): WaypostError {
  if (isWaypostError(error) && error.code !== "internal_error") return error;
  if (isDatabaseUnavailable(error)) return unavailable();
  const err = isWaypostError(error) ? error.cause : error;
  services.log.error({ err, requestId }, "a request of a page failed");
  return new WaypostError("internal_error");
}
