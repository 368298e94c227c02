/**
 * The one catalogue of everything Waypost can answer or record as wrong. Statuses, bodies, the OpenAPI document,
 * the documentation and the admin app's words derive from it. Codes are stable; messages may change.
 *
 * - `status`: HTTP status of an answer with this code; null for a code that only a message can carry.
 * - `resend`: whether the same request or message may be sent again.
 *   `safe`: not delivered, as the upstream said or because it was never handed over. `later`: wait first.
 *   `never`: would fail again, or must not. `may_duplicate`: it may have been handed over.
 *   After a refusal the same request is sent again; a message that has failed, under a new `client_message_id`.
 */
export type ResendAdvice = "safe" | "later" | "never" | "may_duplicate";

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
  readonly resend: ResendAdvice;
  /** Also a reason for which an accepted message can fail; codes without a status always are. */
  readonly failsMessages?: true;
  /** Only the admin app answers it: no request with an API key gets it. */
  readonly memberOnly?: true;
  /** With `later` on a failed message: how long after the failure. */
  readonly resendAfterSeconds?: number;
  /** For whoever made the request. */
  readonly remedy: string;
  /** For a member who gets it on a page, where the remedy for API clients doesn't help. */
  readonly uiRemedy?: string;
  /**
   * For support staff, about a message that failed or a request that was rejected with it. Every code that a message
   * can fail with has one.
   */
  readonly staffRemedy?: string;
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
      "Check that the whole key was copied, that `Authorization` has `Bearer` in front of it, and that both headers, " +
      "if both are sent, carry the same one.",
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
    uiRemedy: "Choose another channel of this organization.",
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
    remedy:
      "Correct the field that `error.field` names; where it names none, what `error.message` says of the whole body.",
    uiRemedy: "Correct what is said of it, and try again.",
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
    uiRemedy: "Write the number with its country's code, such as +49 151 12345678.",
  },
  recipient_unreachable: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "WhatsApp refused to deliver a message to this number within the last 24 hours.",
    resend: "later",
    remedy:
      "Repeat the same request from `error.resend_after` on, or once the customer has written. Until then reach the customer otherwise.",
    uiRemedy: "Reach the customer otherwise, or try again a day later, or once the customer has written.",
  },
  thread_not_found: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The conversation doesn't exist, or isn't on the given channel.",
    resend: "never",
    remedy: "Use a `thread_id` that an earlier answer gave, with its channel or without `channel_id`.",
    uiRemedy: "Load the page again. If it stays, send a test message to the number instead.",
  },
  outside_customer_window: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    // A rule, not a claim: the customer may have written where WhatsApp reports the window as closed.
    message:
      "The customer window is closed: it is open for 24 hours after the customer has written on this channel.",
    resend: "later",
    failsMessages: true,
    remedy: "Send an approved template, or wait until the customer writes.",
    staffRemedy: "Send an approved template, or wait until the customer writes.",
  },
  template_not_approved: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The template doesn't exist on this channel, or WhatsApp hasn't approved it.",
    resend: "never",
    failsMessages: true,
    remedy: "Use a template that `GET /templates` shows as approved on the message's channel.",
    staffRemedy:
      "See on the page Templates what became of it. Once WhatsApp approves of it, write the message anew; until then another template can be sent.",
    uiRemedy: "Choose a template that the page Templates shows as approved on this channel.",
  },
  template_variables_mismatch: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The variables aren't those of the template.",
    resend: "never",
    failsMessages: true,
    remedy: "Send exactly the variables that `GET /templates` lists for the template.",
    staffRemedy:
      "Ask whoever runs the integration to send the template's variables as the page Templates shows them. The same message would fail again.",
    uiRemedy: "Fill in each of the variables that the page Templates shows for it.",
  },
  invalid_media: {
    status: 400,
    trpc: "BAD_REQUEST",
    message: "WhatsApp doesn't take this file, or the upload doesn't exist.",
    resend: "never",
    failsMessages: true,
    remedy:
      "Use a file type and size that WhatsApp takes for the message's type, and a `storage_key` that an upload gave.",
    staffRemedy:
      "Ask whoever runs the integration for another file: WhatsApp couldn't fetch this one, or doesn't take it. The same message would fail again.",
    uiRemedy: "Ask whoever runs the integration to send it with another file.",
  },
  media_url_forbidden: {
    status: 400,
    trpc: "BAD_REQUEST",
    message: "The media URL isn't a public HTTPS address.",
    resend: "never",
    remedy: "Use an https URL without credentials whose host is public, or upload the file.",
    uiRemedy:
      "Ask whoever runs the integration to send it with another file: this one's address isn't public.",
  },
  idempotency_key_reused: {
    status: 409,
    trpc: "CONFLICT",
    message: "This `client_message_id` or `replay_id` was used for another body.",
    resend: "never",
    remedy: "Use a new id for a new message or replay; repeat the exact body to retry an old one.",
    uiRemedy: "Load the page again, and see whether the message was sent before you send it anew.",
  },
  identity_conflict: {
    status: 409,
    trpc: "CONFLICT",
    message:
      "This number, in its two written forms, belongs to two contacts. Send with `thread_id` instead of `to`.",
    resend: "never",
    remedy: "Send to the conversation that you mean, by `thread_id`.",
    uiRemedy:
      "Two contacts have this number, in its two written forms. Ask whoever runs the integration to write to the one you mean.",
  },
  message_not_found: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "There is no such message.",
    resend: "never",
    remedy: "Check the id. Messages of other organizations and internal notes are never shown.",
  },
  message_not_resendable: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The message can't be sent again.",
    resend: "never",
    memberOnly: true,
    remedy: "See on its page what became of it, and what to do.",
  },
  channel_not_found: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "There is no such channel.",
    resend: "never",
    memberOnly: true,
    remedy: "Check the id.",
  },
  template_not_found: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "There is no such template.",
    resend: "never",
    memberOnly: true,
    remedy: "Check the id.",
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
  request_not_found: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "There is no such request among those that were refused.",
    resend: "never",
    memberOnly: true,
    remedy:
      "Check the id: it is the answer's `X-Request-Id`. Requests that were refused are kept for 7 days, of a key that is refused very often not all.",
  },
  webhook_not_found: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "There is no such webhook endpoint.",
    resend: "never",
    remedy:
      "Check the id. Endpoints that were removed, those of other organizations, and those that aren't limited to " +
      "channels of the key are never shown.",
    uiRemedy: "It may have been removed. Look for it in the list of webhooks.",
  },
  webhook_delivery_not_found: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "The webhook endpoint has no such delivery.",
    resend: "never",
    remedy: "Check the id. Deliveries are kept for 30 days at most.",
  },
  upload_quota_exceeded: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The file doesn't fit into what is left of the organization's upload quota.",
    resend: "later",
    remedy:
      "Send a smaller file, send files that are uploaded already by their `storage_key`, wait until older uploads are erased, a day after their `expires_at`, or ask the operator for a larger quota.",
    uiRemedy:
      "Choose a smaller file, ask the operator for a larger quota, or wait until older files are erased.",
  },
  webhook_limit_reached: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The organization has as many webhook endpoints as it can have: 20.",
    resend: "never",
    remedy: "Remove an endpoint that isn't needed any more.",
  },
  webhook_url_forbidden: {
    status: 400,
    trpc: "BAD_REQUEST",
    message: "The webhook URL isn't a public HTTPS address.",
    resend: "never",
    remedy:
      "Use an https URL without credentials whose host is public. To receive events on a machine that isn't, run " +
      "`npm run -s waypost -- webhook listen --forward URL` there in a checkout of Waypost, or make an endpoint without a URL and fetch its events.",
  },
  webhook_not_delivering: {
    status: 409,
    trpc: "CONFLICT",
    message: "The webhook endpoint is disabled, or has no URL that events are sent to.",
    resend: "never",
    remedy: "Enable the endpoint first. Events of one without a URL are fetched, and can be fetched again.",
  },
  webhook_event_erased: {
    status: 409,
    trpc: "CONFLICT",
    message: "The event's content was erased, so it can't be delivered any more.",
    resend: "never",
    remedy: "Nothing is left to deliver. Read what became of the message instead.",
  },
  webhook_test_limited: {
    status: 429,
    trpc: "TOO_MANY_REQUESTS",
    message: "The webhook endpoint can't be tested again yet.",
    resend: "later",
    remedy: "Wait for the seconds in `Retry-After`, then test again.",
    uiRemedy: "Wait a minute, then test again.",
  },
  webhook_test_running: {
    status: 409,
    trpc: "CONFLICT",
    message: "The webhook endpoint is being tested already.",
    resend: "later",
    remedy: "Wait for the answer of the first test, at most 15 seconds, then test again.",
  },
  key_not_rotatable: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "A revoked or expired key can't be rotated.",
    resend: "never",
    remedy: "Create a new key.",
  },
  key_not_extendable: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The expiry of a revoked or expired key can't be changed.",
    resend: "never",
    memberOnly: true,
    remedy: "Create a new key.",
  },
  not_signed_in: {
    status: 401,
    trpc: "UNAUTHORIZED",
    message: "You aren't signed in, or your session has ended.",
    resend: "never",
    memberOnly: true,
    remedy: "Sign in.",
  },
  sign_in_failed: {
    status: 401,
    trpc: "UNAUTHORIZED",
    message: "E-mail address or password is wrong.",
    resend: "never",
    memberOnly: true,
    remedy: "Check both. An operator can make a link for a new password with `member reset-password`.",
  },
  sign_in_expired: {
    status: 401,
    trpc: "UNAUTHORIZED",
    message: "This sign-in has taken too long.",
    resend: "never",
    memberOnly: true,
    remedy: "Begin again with e-mail address and password.",
  },
  second_factor_wrong: {
    status: 401,
    trpc: "UNAUTHORIZED",
    message: "The code is wrong, or was used before.",
    resend: "never",
    memberOnly: true,
    remedy: "Take the present code of your authenticator app, or a recovery code that you have not used.",
  },
  too_many_attempts: {
    status: 429,
    trpc: "TOO_MANY_REQUESTS",
    message: "There were too many attempts.",
    resend: "later",
    memberOnly: true,
    remedy: "Wait for the time that the message names, then try again.",
  },
  password_wrong: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The password is wrong.",
    resend: "never",
    memberOnly: true,
    remedy: "Check the password that you sign in with.",
  },
  second_factor_on: {
    status: 409,
    trpc: "CONFLICT",
    message: "Two-factor sign-in is on already.",
    resend: "never",
    memberOnly: true,
    remedy: "Turn it off first.",
  },
  cross_site_request: {
    status: 403,
    trpc: "FORBIDDEN",
    message: "The request comes from another site.",
    resend: "never",
    memberOnly: true,
    remedy:
      "Open the page at its own address. Behind a proxy, set `WAYPOST_PUBLIC_URL` to the address that people use, or name the proxy in `WAYPOST_TRUSTED_PROXIES`, so that its `X-Forwarded-Proto` counts.",
  },
  organization_not_found: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "There is no such organization, or you are not a member of it.",
    resend: "never",
    memberOnly: true,
    remedy: "Choose one of your organizations.",
  },
  member_not_found: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "There is no such member.",
    resend: "never",
    memberOnly: true,
    remedy: "Check the id.",
  },
  session_not_found: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "There is no such session.",
    resend: "never",
    memberOnly: true,
    remedy: "It may have ended already.",
  },
  link_invalid: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "The link is wrong, was used or withdrawn, or has expired.",
    resend: "never",
    memberOnly: true,
    remedy: "Ask whoever gave it to you for a new one.",
  },
  inviter_gone: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "The invitation has ended: whoever made it may no longer invite people to this organization.",
    resend: "never",
    memberOnly: true,
    remedy: "Ask an owner or admin of the organization to invite you again.",
  },
  last_owner: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "An organization keeps at least one owner.",
    resend: "never",
    memberOnly: true,
    remedy: "Make somebody else an owner first.",
  },
  rate_limited: {
    status: 429,
    trpc: "TOO_MANY_REQUESTS",
    message: "The key's limit for these 60 seconds is used up.",
    resend: "later",
    remedy: "Wait for the seconds in `Retry-After`, then repeat the same request.",
    uiRemedy: "Wait a minute, then try again.",
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
    uiRemedy: "Try again.",
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
    uiRemedy:
      "Try again. If it stays, tell the operator the id of the request: the log has it with the cause.",
  },
  unavailable: {
    status: 503,
    trpc: "SERVICE_UNAVAILABLE",
    message: "The service is briefly unavailable.",
    resend: "later",
    remedy: "Wait for the seconds in `Retry-After`, then repeat the same request.",
    uiRemedy: "Wait a few seconds, then try again.",
  },
  undeliverable: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "WhatsApp couldn't deliver the message to this number.",
    resend: "never",
    remedy:
      "Reach the customer otherwise. WhatsApp doesn't say why: the number may not be on WhatsApp, its owner may not have accepted the terms, or the app may be old. For 24 hours, requests to this number are refused with `recipient_unreachable`. After that a new message is handed over again: send one only where the customer may have come to WhatsApp meanwhile.",
    staffRemedy:
      "Check the number with the customer, or reach them otherwise. WhatsApp doesn't say why: the number may not be on WhatsApp, its owner may not have accepted the terms, or the app may be old.",
  },
  recipient_not_allowed: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "WhatsApp says that this business may not send messages to people in the customer's country.",
    resend: "never",
    remedy: "Reach the customer otherwise. The restriction is on the business account, not on the message.",
    staffRemedy:
      "Reach the customer otherwise. The restriction is on the business account: an admin can ask Meta's support about it.",
  },
  recipient_blocked: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "Your business has blocked this customer on WhatsApp.",
    resend: "never",
    remedy: "Unblock the customer in WhatsApp first.",
    staffRemedy: "Unblock the customer in WhatsApp Manager if they should be written to.",
  },
  recipient_opted_out: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The customer has stopped marketing messages from your business.",
    resend: "never",
    remedy: "Don't send marketing to this customer again until they ask for it.",
    staffRemedy:
      "Don't send marketing to this customer until they ask for it. Other messages still reach them.",
  },
  engagement_limited: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "WhatsApp chose not to send the message to this customer now.",
    resend: "later",
    resendAfterSeconds: 86_400,
    remedy: "Send it again under a new `client_message_id` after a day; sooner it may be refused again.",
    staffRemedy: "Send it again after a day if it still matters: sooner WhatsApp may refuse it again.",
  },
  contact_erased: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The contact was erased before the message was sent.",
    resend: "never",
    remedy: "The customer asked to be forgotten. Don't send it again.",
    staffRemedy: "The customer asked to be forgotten. There is nothing to do.",
  },
  channel_unavailable: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "WhatsApp refused the message because of the sending number or its account.",
    resend: "later",
    remedy:
      "Have the operator ask `channel list` or `doctor` what is wrong; once it is mended, send it again under a new `client_message_id`.",
    staffRemedy:
      "See on the page Channels what is wrong with the number. Once that is mended, send it again.",
  },
  upstream_unavailable: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "WhatsApp took the message and then couldn't send it.",
    resend: "safe",
    remedy: "Send it again under a new `client_message_id`; this time it may go through.",
    staffRemedy:
      "Send it again: the customer hasn't got it. The trouble was WhatsApp's, and it may go through now.",
  },
  upstream_rejected: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "WhatsApp refused the message.",
    resend: "never",
    remedy: "The same message would be refused again. `error.upstream` has WhatsApp's own code and title.",
    staffRemedy:
      "See WhatsApp's own words in the timeline, and show them to whoever runs the integration. The same message would be refused again.",
  },
  upstream_unconfirmed: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message:
      "The message was handed to WhatsApp, and neither an answer nor a status says whether it was taken.",
    resend: "may_duplicate",
    remedy:
      "Ask the customer, or send it again under a new `client_message_id` and accept that it may arrive twice.",
    staffRemedy:
      "Ask the customer whether it came. Send it again only where arriving twice does less harm than not arriving.",
  },
  expired: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The message waited for 12 hours and was never handed over.",
    resend: "safe",
    remedy: "Send it again under a new `client_message_id` if it still matters.",
    staffRemedy:
      "Send it again if it still matters: the customer hasn't got it. See on the page Channels whether the number was paused for long.",
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

/** What a member does about an error on a page. */
export function remedyInUi(code: ErrorCode): string {
  const { uiRemedy, remedy } = catalogueEntry(code);
  return uiRemedy ?? remedy;
}

/** What support staff do about an error; where the catalogue has nothing for them, the remedy for API clients. */
export function remedyForStaff(code: ErrorCode): string {
  const { staffRemedy, remedy } = catalogueEntry(code);
  return staffRemedy ?? remedy;
}

/** Every code that an integrator can meet. */
export const PUBLIC_CODES: readonly ErrorCode[] = Object.keys(ERRORS)
  .filter(isErrorCode)
  .filter((code) => catalogueEntry(code).memberOnly !== true);

/** Every code that a failed message can carry. */
export const FAILURE_CODES: readonly ErrorCode[] = Object.keys(ERRORS)
  .filter(isErrorCode)
  .filter((code) => {
    const { status, failsMessages } = catalogueEntry(code);
    return status === null || failsMessages === true;
  });

/** What is wrong with one field of an input. */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

export interface ErrorOptions {
  /** Public text in place of the catalogue's; must not hold anything internal. */
  readonly message?: string;
  /** Path of the input field at fault, such as `to.handle`. */
  readonly field?: string;
  /** What is wrong beside that, for forms: the public API names one field. */
  readonly others?: readonly FieldFault[];
  readonly headers?: Readonly<Record<string, string>>;
  /** From then on the same request can succeed: `resend` is `later`, whatever the catalogue says of the code. */
  readonly resendAfter?: Date;
  /** For the log only. */
  readonly cause?: unknown;
}

/** A refusal with a code of the catalogue: the only error whose words reach a client. */
export class WaypostError extends Error {
  readonly code: ErrorCode;
  readonly field?: string;
  readonly others: readonly FieldFault[];
  readonly headers: Readonly<Record<string, string>>;
  readonly resend: ResendAdvice;
  readonly resendAfter?: Date;
  /** Recognised by this mark, because `instanceof` fails across two bundles of one module. */
  readonly isWaypostError = true;

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.name = "WaypostError";
    this.code = code;
    this.field = options.field;
    this.others = options.others ?? [];
    this.headers = options.headers ?? {};
    this.resend = options.resendAfter === undefined ? ERRORS[code].resend : "later";
    this.resendAfter = options.resendAfter;
  }
}

export function isWaypostError(error: unknown): error is WaypostError {
  return typeof error === "object" && error !== null && "isWaypostError" in error;
}
