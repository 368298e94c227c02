/**
 * The single catalogue of errors that Waypost can return or record. Statuses, response bodies, the OpenAPI document,
 * the documentation and the admin app's texts are derived from it. Codes are stable; messages may change.
 *
 * - `status`: HTTP status of a response with this code; null for a code that only a message can have.
 * - `resend`: whether the same request or message may be sent again.
 *   `safe`: not delivered, as reported by the upstream or because it was never handed over. `later`: wait first.
 *   `never`: would fail again, or must not be sent again. `may_duplicate`: it may have been handed over.
 *   A refused request is sent again as it is; a failed message is sent under a new `client_message_id`.
 */
export const RESEND_ADVICE = ["safe", "later", "never", "may_duplicate"] as const;
export type ResendAdvice = (typeof RESEND_ADVICE)[number];

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
  /** The status of a GET, whose address itself names what doesn't exist. */
  readonly statusOfGet?: number;
  readonly message: string;
  readonly resend: ResendAdvice;
  /** The code is also a failure reason of accepted messages. Codes without a status always are. */
  readonly failsMessages?: true;
  /** Only the admin app, commands or the address for callbacks return it. A request with an API key never gets it. */
  readonly memberOnly?: true;
  /** With `later` on a failed message: the time to wait after the failure. */
  readonly resendAfterSeconds?: number;
  /** Advice for the sender of the request. */
  readonly remedy: string;
  /** Advice for a member who gets the error on a page, if the remedy for API clients doesn't help. */
  readonly uiRemedy?: string;
  /**
   * Advice for support staff, about a message that failed or a request that was rejected with this code. Every code
   * that a message can fail with has one.
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
      "Check that you copied the complete key and that `Authorization` starts with `Bearer`. If you send both headers, both must contain the same key.",
  },
  api_key_revoked: {
    status: 401,
    trpc: "UNAUTHORIZED",
    message: "The API key was revoked, or this secret was replaced by a newer one.",
    resend: "never",
    remedy: "Use the new secret, or ask an admin for a new key.",
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
    message: "The API key doesn't have a scope that this request needs.",
    resend: "never",
    remedy: "Ask an admin to rotate the key with the scope that the message names.",
  },
  permission_denied: {
    status: 403,
    trpc: "FORBIDDEN",
    message: "You don't have permission to do this.",
    resend: "never",
    memberOnly: true,
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
    message: "The API key determines the organization, so the request must not contain it.",
    resend: "never",
    remedy: "Remove `X-Organization-Id` and `organization_id` from the request.",
  },
  validation_failed: {
    status: 400,
    trpc: "BAD_REQUEST",
    message: "The request isn't valid.",
    resend: "never",
    remedy:
      "Correct the field in `error.field`. If there is no `error.field`, correct the body as `error.message` says.",
    uiRemedy: "Correct the value and try again.",
  },
  client_message_id_required: {
    status: 400,
    trpc: "BAD_REQUEST",
    message: "`client_message_id` is required.",
    resend: "never",
    remedy: "Send your own id of 1 to 128 characters. Use the same id when you repeat the request.",
  },
  invalid_whatsapp_number: {
    status: 400,
    trpc: "BAD_REQUEST",
    message: "The number isn't a valid WhatsApp number.",
    resend: "never",
    remedy: "Send the number in E.164 form without the plus sign, such as 4915112345678.",
    uiRemedy: "Write the number with its country code, such as +49 151 12345678.",
  },
  message_not_inbound: {
    status: 409,
    trpc: "CONFLICT",
    message: "You sent this message. Only a customer's message can be marked as read.",
    resend: "never",
    remedy: "Use the `message_id` of a `message.received` event.",
  },
  message_not_markable: {
    status: 409,
    trpc: "CONFLICT",
    message: "The message can't be marked as read.",
    resend: "never",
    remedy:
      "The message of the error gives the reason: the message is older than 30 days, was erased, has no id at WhatsApp, or its channel is disabled. Mark a newer message of the thread, if there is one.",
  },
  recipient_unreachable: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "WhatsApp refused to deliver a message to this number within the last 24 hours.",
    resend: "later",
    remedy:
      "Repeat the same request after `error.resend_after`, or after the customer has written. Until then, contact the customer in another way.",
    uiRemedy:
      "Contact the customer in another way, or try again after a day or after the customer has written.",
  },
  thread_not_found: {
    status: 422,
    statusOfGet: 404,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The conversation doesn't exist, or isn't on the given channel.",
    resend: "never",
    remedy: "Use a `thread_id` from an earlier response, with its channel or without `channel_id`.",
    uiRemedy: "Reload the page. If the error appears again, send a test message to the number instead.",
  },
  outside_customer_window: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    // States a rule, not a fact: the customer may have written although WhatsApp reports the window as closed.
    message:
      "The customer service window is closed. It is open for 24 hours after the customer writes on this channel.",
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
    remedy: "Use a template that `GET /templates` lists as approved on the message's channel.",
    staffRemedy:
      "Check the template on the Templates page. When WhatsApp has approved it, create a new message. Until then, you can send another template.",
    uiRemedy: "Choose a template that is approved on this channel on the Templates page.",
  },
  template_variables_mismatch: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The variables don't match the template.",
    resend: "never",
    failsMessages: true,
    remedy: "Send exactly the variables that `GET /templates` lists for the template.",
    staffRemedy:
      "Ask the developer of the integration to send the variables that the Templates page shows for the template. The same message would fail again.",
    uiRemedy: "Fill in all variables that the Templates page shows for this template.",
  },
  invalid_media: {
    status: 400,
    trpc: "BAD_REQUEST",
    message: "WhatsApp doesn't accept this file, or the upload doesn't exist.",
    resend: "never",
    failsMessages: true,
    remedy:
      "Use a file type and size that WhatsApp accepts for the message's type, and a `storage_key` from an upload.",
    staffRemedy:
      "Ask the developer of the integration for another file: WhatsApp couldn't fetch this file or doesn't accept it. The same message would fail again.",
    uiRemedy: "Ask the developer of the integration to send the message with another file.",
  },
  media_url_forbidden: {
    status: 400,
    trpc: "BAD_REQUEST",
    message: "The media URL isn't a public HTTPS address.",
    resend: "never",
    remedy: "Use an https URL with a public host and without credentials, or upload the file.",
    uiRemedy:
      "Ask the developer of the integration to send the message with another file. The URL of this file isn't public.",
  },
  idempotency_key_reused: {
    status: 409,
    trpc: "CONFLICT",
    message: "This `client_message_id` or `replay_id` was already used for a different body.",
    resend: "never",
    remedy: "Use a new id for a new message or replay. To retry an old one, repeat exactly the same body.",
    uiRemedy: "Reload the page and check whether the message was sent before you send it again.",
  },
  identity_conflict: {
    status: 409,
    trpc: "CONFLICT",
    message:
      "This number, in its two written forms, belongs to two contacts. Send with `thread_id` instead of `to`.",
    resend: "never",
    remedy: "Send to the right conversation with `thread_id`.",
    uiRemedy:
      "Two contacts have this number, in its two written forms. Ask the developer of the integration to write to the right contact.",
  },
  message_not_found: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "There is no such message.",
    resend: "never",
    remedy: "Check the id. Messages of other organizations and internal notes are never shown.",
  },
  media_not_found: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "There is no customer's file with this message.",
    resend: "never",
    remedy:
      "Check the id: it must be the `message_id` of a `message.received` event with `content.media`. If the response has `Retry-After`, Waypost is still fetching the file: repeat the request then.",
    uiRemedy: "The file may still be on its way. Try again in a minute.",
  },
  media_gone: {
    status: 410,
    trpc: "NOT_FOUND",
    message: "The customer's file isn't available any more.",
    resend: "never",
    remedy:
      "Don't repeat the request. `message` has the reason: the message was erased, or the file is too large, or WhatsApp no longer had it when Waypost could fetch it, or customers' files had used up their half of the upload quota until then. Ask the customer to send it again.",
    uiRemedy: "Ask the customer to send the file again.",
  },
  message_not_resendable: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The message can't be sent again.",
    resend: "never",
    memberOnly: true,
    remedy: "Open the message to see its delivery status and what to do.",
  },
  channel_not_found: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "There is no such channel.",
    resend: "never",
    memberOnly: true,
    remedy: "Check the id.",
  },
  phone_not_available: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "The channel isn't simulated, so there is no customer's phone to show.",
    resend: "never",
    memberOnly: true,
    remedy: "Choose a channel of the simulator, such as those of a demo organization.",
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
    memberOnly: true,
    remedy: "Check the id.",
  },
  request_not_found: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "There is no such refused request.",
    resend: "never",
    memberOnly: true,
    remedy:
      "Check the id: it is the `X-Request-Id` of the response. Refused requests are kept for 7 days. If a key is refused very often, not all of its requests are kept.",
  },
  webhook_not_found: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "There is no such webhook endpoint.",
    resend: "never",
    remedy:
      "Check the id. Endpoints are never shown if they were removed, belong to another organization, or aren't limited to channels of the key.",
    uiRemedy: "It may have been removed. Check the list on the Webhooks page.",
  },
  webhook_delivery_not_found: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "The webhook endpoint has no such delivery.",
    resend: "never",
    remedy: "Check the id. Deliveries are kept for up to 30 days.",
  },
  upload_quota_exceeded: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The file exceeds the organization's remaining upload quota.",
    resend: "later",
    remedy:
      "Send a smaller file, use the `storage_key` of a file that is already uploaded, wait until older uploads are erased (a day after their `expires_at`), or ask the operator for a larger quota. Customers' files count too: at most half of the quota, until their messages are erased.",
    uiRemedy:
      "Choose a smaller file, ask the operator for a larger quota, or wait until older files are erased.",
  },
  webhook_limit_reached: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The organization has reached the limit of 20 webhook endpoints.",
    resend: "never",
    remedy: "Remove an endpoint that you no longer need.",
  },
  webhook_url_forbidden: {
    status: 400,
    trpc: "BAD_REQUEST",
    message: "The webhook URL isn't a public HTTPS address.",
    resend: "never",
    remedy:
      "Use an https URL with a public host and without credentials. To receive events on a machine that isn't public, run `npm run -s waypost -- webhook listen --forward URL` there in a checkout of Waypost, or create an endpoint without a URL and fetch its events.",
  },
  webhook_not_delivering: {
    status: 409,
    trpc: "CONFLICT",
    message: "The webhook endpoint is disabled or has no URL.",
    resend: "never",
    remedy:
      "Enable the endpoint first. If the endpoint has no URL, fetch its events. You can fetch them again.",
  },
  webhook_event_erased: {
    status: 409,
    trpc: "CONFLICT",
    message: "The event's content was erased, so the event can't be delivered any more.",
    resend: "never",
    remedy: "There is nothing left to deliver. Check the delivery status of the message instead.",
  },
  webhook_test_limited: {
    status: 429,
    trpc: "TOO_MANY_REQUESTS",
    message: "The webhook endpoint can't be tested again yet.",
    resend: "later",
    remedy: "Wait for the number of seconds in `Retry-After`, then test again.",
    uiRemedy: "Wait a minute, then test again.",
  },
  webhook_test_running: {
    status: 409,
    trpc: "CONFLICT",
    message: "A test of this webhook endpoint is already running.",
    resend: "later",
    remedy: "Wait for the result of the first test, which takes up to 15 seconds. Then test again.",
  },
  key_not_rotatable: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "A revoked or expired key can't be rotated.",
    resend: "never",
    memberOnly: true,
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
    message: "The email address or password is wrong.",
    resend: "never",
    memberOnly: true,
    remedy: "Check both. An operator can create a link to set a new password with `member reset-password`.",
  },
  sign_in_expired: {
    status: 401,
    trpc: "UNAUTHORIZED",
    message: "This sign-in took too long.",
    resend: "never",
    memberOnly: true,
    remedy: "Start again with your email address and password.",
  },
  second_factor_wrong: {
    status: 401,
    trpc: "UNAUTHORIZED",
    message: "The code is wrong or was already used.",
    resend: "never",
    memberOnly: true,
    remedy:
      "Enter the current code from your authenticator app, or a recovery code that you haven't used yet.",
  },
  too_many_attempts: {
    status: 429,
    trpc: "TOO_MANY_REQUESTS",
    message: "There were too many attempts.",
    resend: "later",
    memberOnly: true,
    remedy: "Wait for the time shown in the message, then try again.",
  },
  password_wrong: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The password is wrong.",
    resend: "never",
    memberOnly: true,
    remedy: "Enter the password that you use to sign in.",
  },
  second_factor_on: {
    status: 409,
    trpc: "CONFLICT",
    message: "Two-factor sign-in is already on.",
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
      "Open the page at its own URL. Behind a proxy, set `WAYPOST_PUBLIC_URL` to the URL that people use, or add the proxy to `WAYPOST_TRUSTED_PROXIES` so that Waypost uses its `X-Forwarded-Proto`.",
  },
  organization_not_found: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "This organization doesn't exist, or you aren't a member of it.",
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
    remedy: "It may have already ended.",
  },
  link_invalid: {
    status: 404,
    trpc: "NOT_FOUND",
    message: "The link is wrong, was already used, was withdrawn or has expired.",
    resend: "never",
    memberOnly: true,
    remedy: "Ask the person who gave you the link for a new one.",
  },
  inviter_gone: {
    status: 404,
    trpc: "NOT_FOUND",
    message:
      "The invitation is no longer valid: the person who created it can no longer invite people to this organization.",
    resend: "never",
    memberOnly: true,
    remedy: "Ask an owner or admin of the organization to invite you again.",
  },
  last_owner: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "An organization needs at least one owner.",
    resend: "never",
    memberOnly: true,
    remedy: "Make another member an owner first.",
  },
  rate_limited: {
    status: 429,
    trpc: "TOO_MANY_REQUESTS",
    message: "The key has reached its rate limit for these 60 seconds.",
    resend: "later",
    remedy: "Wait for the number of seconds in `Retry-After`, then repeat the same request.",
    uiRemedy: "Wait a minute, then try again.",
  },
  invalid_signature: {
    status: 401,
    trpc: "UNAUTHORIZED",
    message: "The callback isn't signed with the channel's app secret.",
    resend: "never",
    memberOnly: true,
    remedy:
      "Only WhatsApp calls this URL. If its callbacks are refused, set the app secret of the channel with `channel set`.",
  },
  invalid_verify_token: {
    status: 403,
    trpc: "FORBIDDEN",
    message: "The callback URL can't be verified: the verify token doesn't belong to this channel.",
    resend: "never",
    memberOnly: true,
    remedy: "Enter the verify token of the channel at Meta, or set another one with `channel set`.",
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
    message: "This path doesn't support this method.",
    resend: "never",
    remedy: "Use one of the methods in the `Allow` header.",
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
    message: "The request body is larger than 64 KiB, or the file is larger than WhatsApp accepts.",
    resend: "never",
    remedy: "Send a smaller body. Upload files separately with `POST /uploads`.",
  },
  unsupported_media_type: {
    status: 415,
    trpc: "UNSUPPORTED_MEDIA_TYPE",
    message: "The request body must be JSON. For `POST /uploads`, it must be the file itself.",
    resend: "never",
    remedy: "Send `Content-Type: application/json`. To `POST /uploads`, send the file itself, not a form.",
  },
  internal_error: {
    status: 500,
    trpc: "INTERNAL_SERVER_ERROR",
    message: "Something went wrong on our side.",
    resend: "later",
    remedy:
      "Repeat the same request. If it fails again, give the operator the `X-Request-Id` of the response. The log contains it with the cause.",
    uiRemedy:
      "Try again. If it fails again, give the operator the request ID. The log contains it with the cause.",
  },
  unavailable: {
    status: 503,
    trpc: "SERVICE_UNAVAILABLE",
    message: "The service is temporarily unavailable.",
    resend: "later",
    remedy: "Wait for the number of seconds in `Retry-After`, then repeat the same request.",
    uiRemedy: "Wait a few seconds, then try again.",
  },
  undeliverable: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "WhatsApp couldn't deliver the message to this number.",
    resend: "never",
    remedy:
      "Contact the customer in another way. WhatsApp doesn't give a reason: the number may not be on WhatsApp, its owner may not have accepted the terms, or the app may be outdated. For 24 hours, requests to this number are refused with `recipient_unreachable`. After that, Waypost sends new messages to WhatsApp again: send one only if the customer may have joined WhatsApp since then.",
    staffRemedy:
      "Check the number with the customer, or contact them in another way. WhatsApp doesn't give a reason: the number may not be on WhatsApp, its owner may not have accepted the terms, or the app may be outdated.",
  },
  recipient_not_allowed: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "WhatsApp doesn't allow this business to send messages to people in the customer's country.",
    resend: "never",
    remedy:
      "Contact the customer in another way. The restriction applies to the business account, not to the message.",
    staffRemedy:
      "Contact the customer in another way. The restriction applies to the business account: an admin can ask Meta's support about it.",
  },
  recipient_blocked: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "Your business has blocked this customer on WhatsApp.",
    resend: "never",
    remedy: "Unblock the customer in WhatsApp first.",
    staffRemedy: "To write to this customer, unblock them in WhatsApp Manager.",
  },
  recipient_opted_out: {
    status: 422,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The customer has opted out of marketing messages from your business.",
    resend: "never",
    failsMessages: true,
    remedy:
      "Don't send marketing templates to this customer until they opt in again, which the event `contact.opted_in` reports. Other messages still reach the customer.",
    uiRemedy:
      "Don't send marketing templates to this customer until they ask for them. Other templates still reach the customer.",
    staffRemedy:
      "Don't send marketing messages to this customer until they ask for them. Other messages still reach the customer.",
  },
  engagement_limited: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "WhatsApp decided not to send the message to this customer now.",
    resend: "later",
    resendAfterSeconds: 86_400,
    remedy:
      "After a day, send it again with a new `client_message_id`. If you send it earlier, it may be refused again.",
    staffRemedy:
      "If it is still relevant, send it again after a day. If you send it earlier, WhatsApp may refuse it again.",
  },
  reacted_message_failed: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The message that the reaction belongs to failed, so the customer doesn't have it.",
    resend: "never",
    remedy: "Send the other message again if it is still needed, then react to the new one.",
    staffRemedy:
      "The message that the reaction belongs to failed. If it is still needed, send that one again. The reaction can't be sent.",
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
      "Ask the operator to find the problem with `channel list` or `doctor`. When it is fixed, send the message again with a new `client_message_id`.",
    staffRemedy:
      "Check the problem with the number on the Channels page. When it is fixed, send the message again.",
  },
  upstream_unavailable: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "WhatsApp accepted the message but then couldn't send it.",
    resend: "safe",
    remedy: "Send it again with a new `client_message_id`. It may succeed this time.",
    staffRemedy:
      "Send it again: the customer hasn't received it. The problem was at WhatsApp, and the message may be delivered now.",
  },
  upstream_rejected: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "WhatsApp refused the message.",
    resend: "never",
    remedy:
      "The same message would be refused again. `error.upstream` contains WhatsApp's error code and title.",
    staffRemedy:
      "See WhatsApp's error in the timeline and show it to the developer of the integration. The same message would be refused again.",
  },
  upstream_unconfirmed: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message:
      "The message was sent to WhatsApp, but no response or status shows whether WhatsApp accepted it.",
    resend: "may_duplicate",
    remedy:
      "Ask the customer, or send it again with a new `client_message_id` and accept that it may arrive twice.",
    staffRemedy:
      "Ask the customer whether the message arrived. Send it again only if a duplicate does less harm than a missing message.",
  },
  expired: {
    status: null,
    trpc: "UNPROCESSABLE_CONTENT",
    message: "The message waited for 12 hours and was never sent to WhatsApp.",
    resend: "safe",
    remedy: "If it is still relevant, send it again with a new `client_message_id`.",
    staffRemedy:
      "If it is still relevant, send it again: the customer hasn't received it. Check on the Channels page whether the number was paused for a long time.",
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof ERRORS;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

/** An entry with all optional properties. */
export function catalogueEntry(code: ErrorCode): CatalogueEntry {
  return ERRORS[code];
}

/**
 * Returns the HTTP status of a refusal with this code. Null for a code that only a message can have.
 * @param method of the request: `GET` and others can differ.
 */
export function statusOf(code: ErrorCode, method: string): number | null {
  const { status, statusOfGet } = catalogueEntry(code);
  return method === "GET" ? (statusOfGet ?? status) : status;
}

/** Returns what a member can do about an error on a page. */
export function remedyInUi(code: ErrorCode): string {
  const { uiRemedy, remedy } = catalogueEntry(code);
  return uiRemedy ?? remedy;
}

/** Returns what support staff can do about an error. Falls back to the remedy for API clients. */
export function remedyForStaff(code: ErrorCode): string {
  const { staffRemedy, remedy } = catalogueEntry(code);
  return staffRemedy ?? remedy;
}

/** Every code that an integrator can receive. */
export const PUBLIC_CODES: readonly ErrorCode[] = Object.keys(ERRORS)
  .filter(isErrorCode)
  .filter((code) => catalogueEntry(code).memberOnly !== true);

/** Every code that a failed message can have. */
export const FAILURE_CODES: readonly ErrorCode[] = Object.keys(ERRORS)
  .filter(isErrorCode)
  .filter((code) => {
    const { status, failsMessages } = catalogueEntry(code);
    return status === null || failsMessages === true;
  });

/** The problem of one input field. */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

export interface ErrorOptions {
  /** Public text that replaces the catalogue's. Must not contain anything internal. */
  readonly message?: string;
  /** Path of the invalid input field, such as `to.handle`. */
  readonly field?: string;
  /** Other invalid fields, for forms. The public API names one field. */
  readonly others?: readonly FieldFault[];
  readonly headers?: Readonly<Record<string, string>>;
  /** From this time on, the same request can succeed: `resend` is `later`, whatever the catalogue says. */
  readonly resendAfter?: Date;
  /** For the log only. */
  readonly cause?: unknown;
}

/** An error with a code of the catalogue. Only errors of this class have a text that reaches a client. */
export class WaypostError extends Error {
  readonly code: ErrorCode;
  readonly field?: string;
  readonly others: readonly FieldFault[];
  readonly headers: Readonly<Record<string, string>>;
  readonly resend: ResendAdvice;
  readonly resendAfter?: Date;
  /** Identifies the class, because `instanceof` fails across two bundles of one module. */
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
