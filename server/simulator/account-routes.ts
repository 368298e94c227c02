import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { graphErrorBody, invalidParameter, missingParameter } from "./graph-errors";
import { accessToken, readFields, sendGraphError, sendJson } from "./http";
import { numberFields, numberNode } from "./number-node";
import { accountCallerError, isExpired, type PhoneNumber } from "./numbers";
import type { SimulatorContext } from "./simulator-context";

const bothPermissions = ["whatsapp_business_management", "whatsapp_business_messaging"];
const otherApp =
  "You must provide an app access token, or a user access token that is an owner or developer of the app";
const appName = "Waypost Simulator App";

/**
 * `GET /v{N}.{M}/debug_token?input_token=`: app, permissions and expiry of a token. A token may read itself, and the
 * other tokens of its app. An invalid `input_token` is an answer, not an error.
 */
export function getDebugToken(
  context: SimulatorContext,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const token = accessToken(request);
  const caller = token === null ? null : context.numbers.ofToken(token);
  if (caller === null || isExpired(context, caller)) {
    return sendGraphError(response, { error: "access_token_invalid" });
  }
  const input = query.get("input_token");
  if (input === null) return sendGraphError(response, missingParameter("input_token is required"));
  const number = context.numbers.ofToken(input);
  if (number === null) {
    const { error } = graphErrorBody({ error: "access_token_invalid" });
    return sendJson(response, 200, { data: { error, is_valid: false, scopes: [] } });
  }
  if (appIdOf(number) !== appIdOf(caller)) return sendGraphError(response, invalidParameter(otherApp));
  const scopes = number.permissions ?? bothPermissions;
  sendJson(response, 200, {
    data: {
      app_id: appIdOf(number),
      type: "SYSTEM_USER",
      application: appName,
      data_access_expires_at: 0,
      expires_at: number.token_expires_at ?? 0,
      is_valid: !isExpired(context, number),
      scopes,
      granular_scopes: scopes.map((scope) => ({ scope })),
      user_id: numericId(`user:${number.access_token}`),
    },
  });
}

/** `GET /v{N}.{M}/{waba_id}/phone_numbers`, with `fields`: the numbers of an account, on one page. */
export function getPhoneNumbers(
  context: SimulatorContext,
  wabaId: string,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const error = accountCallerError(context, wabaId, accessToken(request));
  if (error !== null) return sendGraphError(response, error);
  const asked = readFields(query, { nodeType: "WhatsAppBusinessPhoneNumber", fields: numberFields });
  if ("error" in asked) return sendGraphError(response, asked.error);
  const data = context.numbers.ofAccount(wabaId).map((number) => asked.show(numberNode(context, number)));
  sendJson(response, 200, { data });
}

/** `GET /v{N}.{M}/{waba_id}/subscribed_apps`: the apps that receive callbacks of an account. */
export function getSubscribedApps(
  context: SimulatorContext,
  wabaId: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const error = accountCallerError(context, wabaId, accessToken(request));
  if (error !== null) return sendGraphError(response, error);
  const subscribed = context.numbers.ofAccount(wabaId).filter(({ app_subscribed = true }) => app_subscribed);
  const ids = [...new Set(subscribed.map(appIdOf))];
  const data = ids.map((id) => ({
    whatsapp_business_api_data: {
      id,
      link: `https://www.facebook.com/games/?app_id=${id}`,
      name: appName,
    },
  }));
  sendJson(response, 200, { data });
}

/** `POST /v{N}.{M}/{waba_id}/subscribed_apps`: subscribes the token's app to callbacks of an account. */
export function postSubscribedApps(
  context: SimulatorContext,
  wabaId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  return setSubscribed(context, { wabaId, isSubscribed: true }, request, response);
}

/** `DELETE /v{N}.{M}/{waba_id}/subscribed_apps`: unsubscribes the token's app. */
export function deleteSubscribedApps(
  context: SimulatorContext,
  wabaId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  return setSubscribed(context, { wabaId, isSubscribed: false }, request, response);
}

async function setSubscribed(
  context: SimulatorContext,
  { wabaId, isSubscribed }: { wabaId: string; isSubscribed: boolean },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const token = accessToken(request);
  const error = accountCallerError(context, wabaId, token);
  if (error !== null) return sendGraphError(response, error);
  const numbers = context.numbers.ofAccount(wabaId);
  const appId = numbers.filter(({ access_token }) => access_token === token).map(appIdOf)[0];
  const changed = numbers.filter((number) => appIdOf(number) === appId);
  await context.numbers.upsert(changed.map((number) => ({ ...number, app_subscribed: isSubscribed })));
  sendJson(response, 200, { success: true });
}

/** Numbers with the same app secret belong to the same app. */
function appIdOf({ app_secret }: PhoneNumber): string {
  return numericId(`app:${app_secret}`);
}

/** Returns an id of 15 digits, always the same for the same text. */
function numericId(text: string): string {
  const hash = createHash("sha256").update(text).digest().readUIntBE(0, 6);
  return String(100_000_000_000_000 + hash);
}
