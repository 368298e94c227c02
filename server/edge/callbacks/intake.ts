import { newId } from "@/db/schema";
import { isDatabaseUnavailable } from "@/db/errors";
import { unavailable } from "@/server/core/procedure";
import type { Services } from "@/server/core/context";
import { isWaypostError, WaypostError } from "@/server/platform/errors";
import { readBody } from "@/server/transport/body";
import { errorResponse, type PublicResponse } from "@/server/transport/envelope";
import { logThrottleOf } from "@/server/lib/log-throttle";
import { findCallbackChannel, isSignedBy, isVerifyToken } from "@/server/domain/callbacks/channel";
import { storeCallback } from "@/server/domain/callbacks/store";
import { admitCallback } from "./flood";

/** Meta sends up to 1,000 updates in one request. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;
const BODY_TIMEOUT_MS = 10_000;

export interface CallbackRequest {
  readonly method: string;
  readonly query: URLSearchParams;
  header(name: string): string | null;
  body(): AsyncIterable<Uint8Array>;
}

/**
 * The address that the upstream calls. `GET` verifies that it is ours, `POST` delivers statuses and customers'
 * messages. A signed callback is stored raw and committed before the 200. The response doesn't wait for its processing,
 * so that the upstream never waits for us and need not be asked again. Never throws: errors have the envelope, and every response
 * has `X-Request-Id`.
 */
export async function takeCallback(
  services: Services,
  channelId: string,
  request: CallbackRequest,
): Promise<PublicResponse> {
  const requestId = newId();
  const answer = await answerTo(services, channelId, request).catch((error: unknown) =>
    errorResponse(toWaypostError(services, { channelId, requestId }, error), services),
  );
  if (request.method === "POST") {
    const result = RESULTS[answer.status] ?? (answer.status >= 500 ? "failed" : "unreadable");
    services.metrics.count("waypost_callbacks_received_total", { result });
  }
  if (answer.status >= 400) logRefusal(services, request, answer, requestId);
  return { ...answer, headers: { ...answer.headers, "X-Request-Id": requestId } };
}

const RESULTS: Readonly<Record<number, "stored" | "unsigned" | "unknown_channel" | "limited">> = {
  200: "stored",
  401: "unsigned",
  404: "unknown_channel",
  429: "limited",
};

/** Outsiders can trigger refusals, so each kind is logged once a minute; with LOG_LEVEL=debug every time. */
function logRefusal(
  { log }: Services,
  { method }: CallbackRequest,
  { status, errorCode }: PublicResponse,
  requestId: string,
): void {
  const facts = { requestId, method, status, errorCode };
  const suppressed = logThrottleOf(log)(`callback ${errorCode}`);
  if (suppressed === null) log.debug(facts, "callback refused");
  else log.info({ ...facts, suppressed }, "callback refused");
}

async function answerTo(
  services: Services,
  channelId: string,
  request: CallbackRequest,
): Promise<PublicResponse> {
  if (request.method === "GET") return verify(services, channelId, request.query);
  if (request.method === "POST") return receive(services, channelId, request);
  throw new WaypostError("method_not_allowed", { headers: { Allow: "GET, POST" } });
}

/** The upstream retries for days after any status but 200. */
function toWaypostError(services: Services, facts: object, error: unknown): WaypostError {
  if (isWaypostError(error)) return error;
  if (isDatabaseUnavailable(error)) return unavailable();
  services.log.error({ err: error, ...facts }, "storing a callback failed");
  return new WaypostError("internal_error", { cause: error });
}

const PLAIN = { "Content-Type": "text/plain; charset=utf-8" } as const;

/** https://developers.facebook.com/docs/graph-api/webhooks/getting-started#verification-requests */
async function verify(
  services: Services,
  channelId: string,
  query: URLSearchParams,
): Promise<PublicResponse> {
  const channel = await findCallbackChannel(services, channelId);
  if (!channel) throw new WaypostError("not_found");
  const challenge = query.get("hub.challenge");
  const isOurs =
    query.get("hub.mode") === "subscribe" && isVerifyToken(channel, query.get("hub.verify_token") ?? "");
  if (!isOurs || challenge === null || !/^[\w-]{1,200}$/.test(challenge))
    throw new WaypostError("invalid_verify_token");
  await services.sql`
    update channels set callback_verified_at = clock_timestamp()
    where organization_id = ${channel.organizationId} and id = ${channel.id}`;
  return { status: 200, body: challenge, headers: PLAIN };
}

async function receive(
  services: Services,
  channelId: string,
  request: CallbackRequest,
): Promise<PublicResponse> {
  // The body of an outsider's request isn't even read.
  const channel = await findCallbackChannel(services, channelId);
  if (!channel) throw new WaypostError("not_found");
  if (request.header("x-hub-signature-256") === null) throw new WaypostError("invalid_signature");
  const body = await readBody(request.body(), { bytesMax: BODY_BYTES_MAX, timeoutMs: BODY_TIMEOUT_MS });
  if (!isSignedBy(services, channel, body, request.header("x-hub-signature-256"))) {
    const suppressed = logThrottleOf(services.log)(`signature ${channel.id}`);
    if (suppressed !== null)
      services.log.warn({ channelId, suppressed }, "a callback with a wrong signature was rejected");
    throw new WaypostError("invalid_signature");
  }
  await admitCallback(services, channel.id, body.length);
  await storeCallback(services, channel, body);
  return { status: 200, body: "ok", headers: PLAIN };
}
