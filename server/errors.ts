/**
 * The one catalogue of everything Waypost can answer or record as wrong. Statuses, bodies, the OpenAPI document,
 * the documentation and the admin app's words derive from it. Codes are stable; messages may change
 * (spec section 7).
 *
 * - `status`: HTTP status of an answer with this code; null for a code that only a message can carry.
 * - `resend`: whether the same request or message may be sent again (design section 5).
 *   `safe`: certainly not delivered, so that sending again can't reach the customer twice. `later`: wait first.
 *   `never`: would fail again, or must not. `may_duplicate`: it may have been handed over.
 *   After a refusal the same request is sent again; a message that has failed, under a new `client_message_id`.
 */
export type ResendVerdict = "safe" | "later" | "never" | "may_duplicate";

interface CatalogueEntry {
  readonly status: number | null;
  readonly trpc:
    | "BAD_REQUEST"
    | "UNAUTHORIZED"
    | "FORBIDDEN"
    | "NOT_FOUND"
    | "METHOD_NOT_SUPPORTED"
    | "TIMEOUT"
    | "CONFLICT"
    | "PAYLOAD_TOO_LARGE"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "UNPROCESSABLE_CONTENT"
    | "TOO_MANY_REQUESTS"
    | "INTERNAL_SERVER_ERROR"
    | "SERVICE_UNAVAILABLE";
  readonly message: string;
  readonly resend: ResendVerdict;
  /** Also a reason for which an accepted message can fail; codes without a status always are. */
  readonly failsMessages?: true;
  /** With `later` on a failed message: how long after the failure. */
  readonly resendAfterSeconds?: number;
  readonly remedy: string;
}

export const ERRORS = {
  api_key_required: {
    status: 401,
    trpc: "UNAUTHORIZED",
    message: "An API key is required.",
    resend: "never",
    remedy: "Send the key as `Authorization: Bearer <API_KEY>` or as `X-Api-Key: <API_KEY>`.",
  },
  invalid_api_key: {
    status: 401,
    trpc: "UNAUTHORIZED",
    message: "The API key doesn't exist or is malformed.",
    resend: "never",
    remedy:
      "Check that the whole key was copied, and that both headers, if both are sent, carry the same one.",
  },
  api_key_revoked: {
    status: 401,
    trpc: "UNAUTHORIZED",
    message: "The API key was revoked, or this secret of it was replaced by a newer one.",
    resend: "never",
    remedy: "Use the secret that replaced it, or ask an admin for a new key.",
  },
  api_key_expired: {
    status: 401,
    trpc: "UNAUTHORIZED",
    message: "The API key has expired.",
    resend: "never",
    remedy: "Ask an admin for a new key.",
  },
  missing_scope: {
    status: 403,
    trpc: "FORBIDDEN",
    message: "The API key lacks a scope that this request needs.",
    resend: "never",
    remedy: "Ask an admin to rotate the key with the scope that the message names.",
  },
  permission_denied: {
    status: 403,
    trpc: "FORBIDDEN",
    message: "You may not do this.",
    resend: "never",
    remedy: "Ask an owner or admin of the organization.",
  },
  channel_forbidden: {
    status: 403,
    trpc: "FORBIDDEN",
    message: "The channel doesn't exist, is disabled, or isn't allowed for this API key.",
    resend: "never",
    remedy: "Use a channel of this organization that the key may use.",
  },
  organization_not_allowed: {
    status: 400,
    trpc: "BAD_REQUEST",
    message: "The organization follows from the API key and must not be sent.",
    resend: "never",
    remedy: "Remove `X-Organization-Id` and `organization_id` from the request.",
  },
  validation_failed: {
    status: 400,
    trpc: "BAD_REQUEST",
    message: "The request isn't valid.",
    resend: "never",
    remedy: "Correct the field that `error.field` names.",
  },
  client_message_id_required: {
    status: 400,
    trpc: "BAD_REQUEST",
    message: "`client_message_id` is required.",
    resend: "never",
    remedy: "Send an id of your own, 1 to 128 characters, that stays the same when you repeat the request.",
  },
  invalid_whatsapp_number: {
    status: 400,
    trpc: "BAD_REQUEST",
    message: "The number isn't a valid WhatsApp number.",
    resend: "never",
    remedy: "Send the number in E.164 form without the plus sign, such as 4915112345678.",
  },
  thread_not_found: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The conversation doesn't exist, or isn't on the given channel.",
    resend: "never",
    remedy: "Use a `thread_id` that an earlier answer gave, with its channel or without `channel_id`.",
  },
  outside_customer_window: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The customer hasn't written on this channel in the last 24 hours.",
    resend: "later",
    failsMessages: true,
    remedy:
      "Send it again after the customer has written; a message that has failed, under a new `client_message_id`.",
  },
  template_not_approved: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The template doesn't exist on this channel, or WhatsApp hasn't approved it.",
    resend: "never",
    failsMessages: true,
    remedy: "Use a template that `GET /templates` shows as approved on the message's channel.",
  },
  template_variables_mismatch: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The variables aren't those of the template.",
    resend: "never",
    failsMessages: true,
    remedy: "Send exactly the variables that `GET /templates` lists for the template.",
  },
  invalid_media: {
    status: 400,
    trpc: "BAD_REQUEST",
    message: "WhatsApp doesn't take this file, or the upload doesn't exist.",
    resend: "never",
    failsMessages: true,
    remedy:
      "Use a file type and size that WhatsApp takes for the message's type, and a `storage_key` that an upload gave.",
  },
  media_url_forbidden: {
    status: 400,
    trpc: "BAD_REQUEST",
    message: "The media URL isn't a public HTTPS address.",
    resend: "never",
    remedy: "Use an https URL without credentials whose host is public, or upload the file.",
  },
  idempotency_key_reused: {
    status: 409,
    trpc: "CONFLICT",
    message: "This `client_message_id` was used for another body.",
    resend: "never",
    remedy: "Use a new `client_message_id` for a new message; repeat the exact body to retry an old one.",
  },
  identity_conflict: {
    status: 409,
    trpc: "CONFLICT",
    message:
      "This number, in its two written forms, belongs to two contacts. Send with `thread_id` instead of `to`.",
    resend: "never",
    remedy: "Send to the conversation that you mean, by `thread_id`.",
  },
  message_not_found: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "There is no such message.",
    resend: "never",
    remedy: "Check the id. Messages of other organizations and internal notes are never shown.",
  },
  contact_not_found: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "There is no such contact.",
    resend: "never",
    remedy: "Check the id.",
  },
  key_not_found: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "There is no such API key.",
    resend: "never",
    remedy: "Check the id.",
  },
  key_not_rotatable: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "A revoked or expired key can't be rotated.",
    resend: "never",
    remedy: "Create a new key.",
  },
  rate_limited: {
    status: 429,
    trpc: "TOO_MANY_REQUESTS",
    message: "The key's limit for these 60 seconds is used up.",
    resend: "later",
    remedy: "Wait for the seconds in `Retry-After`, then repeat the same request.",
  },
  invalid_signature: {
    status: 401,
    trpc: "UNAUTHORIZED",
    message: "The callback isn't signed with the channel's app secret.",
    resend: "never",
    remedy:
      "Only WhatsApp calls this address. If its callbacks are refused, give the channel the app's secret with `channel set`.",
  },
  invalid_verify_token: {
    status: 403,
    trpc: "FORBIDDEN",
    message: "The callback address can't be verified: the verify token isn't the channel's.",
    resend: "never",
    remedy:
      "Give Meta the verify token that the channel was connected with, or set another with `channel set`.",
  },
  not_found: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "There is nothing at this path.",
    resend: "never",
    remedy: "See the paths in `/api/public/v1/openapi.json`.",
  },
  method_not_allowed: {
    status: 405,
    trpc: "METHOD_NOT_SUPPORTED",
    message: "This path doesn't take this method.",
    resend: "never",
    remedy: "Use one of the methods in `Allow`.",
  },
  request_timeout: {
    status: 408,
    trpc: "TIMEOUT",
    message: "The request didn't arrive in time.",
    resend: "later",
    remedy: "Repeat the same request.",
  },
  payload_too_large: {
    status: 413,
    trpc: "PAYLOAD_TOO_LARGE",
    message: "The request's body is larger than 64 KiB, or its file larger than WhatsApp takes.",
    resend: "never",
    remedy: "Send less. Files are uploaded apart from the message, with `POST /uploads`.",
  },
  unsupported_media_type: {
    status: 415,
    trpc: "UNSUPPORTED_MEDIA_TYPE",
    message: "The request's body must be JSON; that of `POST /uploads` the file itself.",
    resend: "never",
    remedy: "Send `Content-Type: application/json`; to `POST /uploads` the file itself, not as a form.",
  },
  internal_error: {
    status: 500,
    trpc: "INTERNAL_SERVER_ERROR",
    message: "Something went wrong on our side.",
    resend: "later",
    remedy:
      "Repeat the same request. If it stays, tell the operator the answer's `X-Request-Id`: the log has it with the cause.",
  },
  unavailable: {
    status: 503,
    trpc: "SERVICE_UNAVAILABLE",
    message: "The service is briefly unavailable.",
    resend: "later",
    remedy: "Wait for the seconds in `Retry-After`, then repeat the same request.",
  },
  undeliverable: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "WhatsApp couldn't deliver the message to this number.",
    resend: "never",
    remedy:
      "The number isn't on WhatsApp, hasn't accepted its terms, or uses an old app. Reach the customer otherwise.",
  },
  recipient_blocked: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "Your business has blocked this customer on WhatsApp.",
    resend: "never",
    remedy: "Unblock the customer in WhatsApp first.",
  },
  recipient_opted_out: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The customer has stopped marketing messages from your business.",
    resend: "never",
    remedy: "Don't send marketing to this customer again until they ask for it.",
  },
  engagement_limited: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "WhatsApp holds marketing messages back to keep customers from getting too many.",
    resend: "later",
    resendAfterSeconds: 86_400,
    remedy: "Send it again under a new `client_message_id` after a day; sooner it would be refused again.",
  },
  contact_erased: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The contact was erased before the message was sent.",
    resend: "never",
    remedy: "The customer asked to be forgotten. Don't send it again.",
  },
  channel_unavailable: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "WhatsApp refused the message because of the sending number or its account.",
    resend: "later",
    remedy:
      "Have the operator ask `channel list` or `doctor` what is wrong; once it is mended, send it again under a new `client_message_id`.",
  },
  upstream_unavailable: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "WhatsApp took the message and then couldn't send it.",
    resend: "safe",
    remedy: "Send it again under a new `client_message_id`; this time it may go through.",
  },
  upstream_rejected: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "WhatsApp refused the message.",
    resend: "never",
    remedy:
      "The same message would be refused again. WhatsApp's own code is in Waypost's database, with the message's attempts and events.",
  },
  upstream_unconfirmed: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The message was handed to WhatsApp, and no answer or status came back.",
    resend: "may_duplicate",
    remedy:
      "Ask the customer, or send it again under a new `client_message_id` and accept that it may arrive twice.",
  },
  expired: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The message waited for 12 hours and was never handed over.",
    resend: "safe",
    remedy: "Send it again under a new `client_message_id` if it still matters.",
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof ERRORS;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

/** An entry with all that an entry can have. */
export function catalogueEntry(code: ErrorCode): CatalogueEntry {
  return ERRORS[code];
}

/** Every code that a failed message can carry. */
export const FAILURE_CODES: readonly ErrorCode[] = Object.keys(ERRORS)
  .filter(isErrorCode)
  .filter((code) => {
    const { status, failsMessages } = catalogueEntry(code);
    return status === null || failsMessages === true;
  });

export interface ErrorOptions {
  /** Public text in place of the catalogue's; must not hold anything internal. */
  readonly message?: string;
  /** Path of the input field at fault, such as `to.handle`. */
  readonly field?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** From then on the same request can succeed: the verdict is `later`, whatever the catalogue says of the code. */
  readonly resendAfter?: Date;
  /** For the log only. */
  readonly cause?: unknown;
}

/** A refusal with a code of the catalogue: the only error whose words reach a client. */
export class WaypostError extends Error {
  readonly code: ErrorCode;
  readonly field?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resend: ResendVerdict;
  readonly resendAfter?: Date;
  /** Recognised by this mark, because `instanceof` fails across two bundles of one module. */
  readonly isWaypostError = true;

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.name = "WaypostError";
    this.code = code;
    this.field = options.field;
    this.headers = options.headers ?? {};
    this.resend = options.resendAfter === undefined ? ERRORS[code].resend : "later";
    this.resendAfter = options.resendAfter;
  }
}

export function isWaypostError(error: unknown): error is WaypostError {
  return typeof error === "object" && error !== null && "isWaypostError" in error;
}
