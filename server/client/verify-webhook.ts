import { parseEvent } from "./event.js";
import type { Event } from "./types.js";

const TOLERANCE_MS = 5 * 60_000;
const SECRET_PREFIX = "whsec_";
const SIGNATURE_PREFIX = "v1,";

/**
 * Why a webhook isn't genuine. `missing_header`: a signature header is absent or malformed. `timestamp`: it is more
 * than five minutes old or ahead. `signature`: no signature fits the body and a secret. `body`: it is signed, but isn't
 * an event.
 */
export type VerificationErrorReason = "missing_header" | "timestamp" | "signature" | "body";

/** A webhook that Waypost didn't send, or not now. Answer it with 400, and don't process it. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly reason: VerificationErrorReason;

  constructor(reason: VerificationErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Headers of a request: of the Fetch API, or of Node. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Checks that a request comes from Waypost (https://www.standardwebhooks.com), and returns its event. Waypost can send
 * an event more than once: process an `id` that you know only once.
 * @param body exactly as it arrived: a parsed and serialized body has another signature.
 * @param secret of the endpoint (`whsec_…`); several while secrets are being changed.
 * @throws WebhookVerificationError if it doesn't; TypeError for arguments that can't be used.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
): Promise<Event> {
  if (typeof body !== "string" && !(body instanceof Uint8Array))
    throw new TypeError("`body` must be the unparsed body of the request: a string or a Uint8Array");
  const keys = [secret].flat().map(keyOf);
  if (keys.length === 0) throw new TypeError("`secret` is empty: pass the signing secret of the endpoint");
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = signaturesIn(headerOf(headers, "webhook-signature"));
  checkTimestamp(timestamp);
  const signed = join(`${id}.${timestamp}.`, body);
  if (!(await isSigned(signed, signatures, keys)))
    throw new WebhookVerificationError("signature", "No signature fits the body and the secret");
  const event = parseEvent(typeof body === "string" ? body : new TextDecoder().decode(body));
  if (event === null) throw new WebhookVerificationError("body", "The body isn't an event of Waypost");
  return event;
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : plainHeader(headers, name);
  if (typeof value === "string" && value !== "") return value;
  throw new WebhookVerificationError("missing_header", `The request has no header \`${name}\``);
}

/** Plain objects can have names in any case. */
function plainHeader(headers: Exclude<WebhookHeaders, Headers>, name: string): unknown {
  const [, value] = Object.entries(headers).find(([given]) => given.toLowerCase() === name) ?? [];
  return Array.isArray(value) ? value.join(" ") : value;
}

function checkTimestamp(timestamp: string): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError("missing_header", "`webhook-timestamp` isn't a time in seconds");
  if (Math.abs(Date.now() - Number(timestamp) * 1000) <= TOLERANCE_MS) return;
  throw new WebhookVerificationError("timestamp", "The webhook is more than five minutes old, or ahead");
}

/** Ignores signatures of other versions. */
function signaturesIn(header: string): readonly Uint8Array<ArrayBuffer>[] {
  return header
    .split(" ")
    .filter((one) => one.startsWith(SIGNATURE_PREFIX))
    .flatMap((one) => decodeBase64(one.slice(SIGNATURE_PREFIX.length)) ?? []);
}

/** @throws TypeError if it can't be a secret. The error doesn't show it. */
function keyOf(secret: unknown): Uint8Array<ArrayBuffer> {
  const text = typeof secret === "string" ? secret.replace(SECRET_PREFIX, "") : "";
  const key = decodeBase64(text);
  if (key !== null && key.length > 0) return key;
  throw new TypeError("`secret` must be the signing secret of the endpoint (`whsec_…`)");
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function join(prefix: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const start = encoder.encode(prefix);
  const rest = typeof body === "string" ? encoder.encode(body) : body;
  const joined = new Uint8Array(start.length + rest.length);
  joined.set(start);
  joined.set(rest, start.length);
  return joined;
}

/** Compares in constant time, as WebCrypto does. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  keys: readonly Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
    for (const signature of signatures) {
      if (await crypto.subtle.verify(algorithm, key, signature, signed)) return true;
    }
  }
  return false;
}
