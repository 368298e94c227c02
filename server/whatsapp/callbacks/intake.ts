import { newId } from "@/db/schema";
import { isDatabaseUnavailable } from "@/db/errors";
import { readBody } from "../../public-api/body";
import type { Services } from "../../context";
import { isWaypostError } from "../../errors";
import { findCallbackChannel, isSignedBy, isVerifyToken } from "./channel";

/** Meta sends up to 1,000 updates at once. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;
const BODY_TIMEOUT_MS = 10_000;

export interface CallbackRequest {
  readonly method: string;
  readonly query: URLSearchParams;
  header(name: string): string | null;
  body(): AsyncIterable<Uint8Array>;
}

export interface CallbackResponse {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const METHOD_NOT_ALLOWED: CallbackResponse = {
  status: 405,
  body: "method not allowed",
  headers: { Allow: "GET, POST" },
};

/**
 * The address that the upstream calls: `GET` proves that it is ours, `POST` brings statuses and what customers wrote.
 * A signed callback is stored raw and committed before the 200; everything else happens afterwards, so that the
 * upstream never waits for us, and never has to be asked again. Never throws.
 */
export async function takeCallback(
  services: Services,
  channelId: string,
  request: CallbackRequest,
): Promise<CallbackResponse> {
  try {
    if (request.method === "GET") return await verify(services, channelId, request.query);
    if (request.method === "POST") return await receive(services, channelId, request);
    return METHOD_NOT_ALLOWED;
  } catch (error) {
    // Whatever isn't a 200 is sent again by the upstream, for days.
    if (isWaypostError(error)) {
      const status = error.code === "payload_too_large" ? 413 : 408;
      return { status, body: error.code, headers: error.headers };
    }
    if (isDatabaseUnavailable(error)) return { status: 503, body: "unavailable" };
    services.log.error({ err: error, channelId }, "a callback could not be taken");
    return { status: 500, body: "internal error" };
  }
}

/** https://developers.facebook.com/docs/graph-api/webhooks/getting-started#verification-requests */
async function verify(
  services: Services,
  channelId: string,
  query: URLSearchParams,
): Promise<CallbackResponse> {
  const channel = await findCallbackChannel(services, channelId);
  if (!channel) return { status: 404, body: "not found" };
  const challenge = query.get("hub.challenge");
  const isOurs =
    query.get("hub.mode") === "subscribe" && isVerifyToken(channel, query.get("hub.verify_token") ?? "");
  if (!isOurs || challenge === null || !/^[\w-]{1,200}$/.test(challenge))
    return { status: 403, body: "forbidden" };
  return { status: 200, body: challenge };
}

async function receive(
  services: Services,
  channelId: string,
  request: CallbackRequest,
): Promise<CallbackResponse> {
  // A stranger's body is not even read.
  const channel = await findCallbackChannel(services, channelId);
  if (!channel) return { status: 404, body: "not found" };
  if (request.header("x-hub-signature-256") === null) return { status: 401, body: "no signature" };
  const body = await readBody(request.body(), { bytesMax: BODY_BYTES_MAX, timeoutMs: BODY_TIMEOUT_MS });
  if (!isSignedBy(services, channel, body, request.header("x-hub-signature-256"))) {
    services.log.warn({ channelId }, "a callback with a wrong signature was refused");
    return { status: 401, body: "wrong signature" };
  }
  await services.sql`
    insert into upstream_callbacks (id, organization_id, channel_id, body)
    values (${newId()}, ${channel.organizationId}, ${channel.id}, ${body})`;
  services.jobs.wakeCallbacks(channel.id);
  return { status: 200, body: "ok" };
}
