import type { Services } from "@/server/core/context";
import { networkOf } from "@/server/domain/auth/network";
import { logThrottleOf } from "@/server/lib/log-throttle";
import type { ErrorCode } from "@/server/platform/errors";
import type { PublicResponse } from "@/server/transport/envelope";

/** Logs a response: a failure of Waypost as a warning, anything else without noise. */
export function logResponse(
  services: Services,
  request: { readonly method: string; readonly remoteAddress: string | undefined },
  response: PublicResponse,
  requestFacts: Readonly<{ requestId: string; route: string; keyId: string | undefined; durationMs: number }>,
): void {
  const { status, errorCode } = response;
  const facts = { ...requestFacts, method: request.method, status, errorCode };
  if (status >= 500) services.log.warn(facts, "a public request was answered with a 5xx status");
  else if (status === 401) logRefusedKey(services, request.remoteAddress, facts);
  else services.log.debug(facts, "public request");
}

/** Outsiders can trigger this message, so it is logged at `info` once a minute for each network and code. */
function logRefusedKey(
  { log }: Services,
  remoteAddress: string | undefined,
  facts: Readonly<{ errorCode?: ErrorCode | undefined }>,
): void {
  const network = networkOf(remoteAddress ?? "");
  const suppressed = logThrottleOf(log)(`key ${facts.errorCode} ${network}`);
  if (suppressed === null) log.debug({ ...facts, remoteAddress }, "key refused");
  else log.info({ ...facts, remoteAddress, suppressed }, "key refused");
}
