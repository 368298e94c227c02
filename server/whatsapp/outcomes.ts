import type { PauseReason } from "../channels/pause-reasons";
import type { ErrorCode } from "../errors";

/** What a refusal teaches beyond the message itself. */
export type OutcomeEffect =
  /** Nothing can be delivered to this number. */
  | "number_refused"
  | "marketing_opted_out"
  /** The customer window is closed, whatever we knew. */
  | "window_closed"
  | "template_paused"
  | "template_disabled"
  /** The upstream may no longer know the id of the uploaded file that the message names. */
  | "media_id_doubted";

/**
 * What an upstream error code means. `message`: nothing was sent, this message is tried again later. `conversation`: the
 * same for everything to this customer. `channel`: everything of this number waits until it works again. `never`: the
 * same message would be refused again.
 */
export type UpstreamOutcome =
  | { readonly retry: "message" | "conversation"; readonly error: ErrorCode; readonly meaning: string }
  | {
      readonly retry: "channel";
      readonly pause: PauseReason;
      readonly error: ErrorCode;
      readonly meaning: string;
    }
  | {
      readonly retry: "never";
      readonly error: ErrorCode;
      readonly effect?: OutcomeEffect;
      readonly meaning: string;
    };

const later = (meaning: string) =>
  ({ retry: "message", error: "upstream_unavailable", meaning }) as const satisfies UpstreamOutcome;
const pauses = (pause: PauseReason, meaning: string) =>
  ({ retry: "channel", pause, error: "channel_unavailable", meaning }) as const satisfies UpstreamOutcome;
const refused = (error: ErrorCode, meaning: string, effect?: OutcomeEffect) =>
  ({ retry: "never", error, meaning, ...(effect ? { effect } : {}) }) as const satisfies UpstreamOutcome;

/**
 * Meta's error codes of the Cloud API
 * (https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes). Built on `code` only, as Meta says,
 * never on titles, subcodes or HTTP statuses. `error` is what a message fails with when the code comes in a `failed`
 * status: then the message was taken, and no later try of ours is possible.
 */
const UPSTREAM_OUTCOMES: Readonly<Record<number, UpstreamOutcome>> = {
  1: later("Unknown error of the API, or of its request"),
  2: later("The API is down or overloaded"),
  131000: later("Unknown error while sending"),
  131016: later("The service is overloaded"),
  131057: later("The account is in maintenance"),
  133004: later("The server is temporarily unavailable"),
  4: later("The app has reached its rate limit"),
  80007: later("The account has reached its rate limit"),
  130429: later("The number has reached its throughput"),
  131056: {
    retry: "conversation",
    error: "upstream_unavailable",
    meaning: "Too many messages to this customer in a short time",
  },
  0: pauses("credentials_invalid", "The access token can't be authenticated"),
  190: pauses("credentials_invalid", "The access token has expired"),
  3: pauses("permission_missing", "The app lacks the capability"),
  10: pauses("permission_missing", "Permission not granted or removed"),
  131005: pauses("permission_missing", "Permission not granted or removed"),
  368: pauses("policy_blocked", "The account is blocked for a violation of policies"),
  131031: pauses("account_locked", "The account is restricted or locked"),
  131042: pauses("payment_required", "The account's payment method doesn't work"),
  131048: pauses("spam_limited", "Too many messages were blocked or marked as spam"),
  131064: pauses("spam_limited", "The limit for messages of this template category is reached"),
  131045: pauses("number_not_registered", "The number's registration is broken"),
  133006: pauses("number_not_registered", "The number must be verified before it is registered"),
  133010: pauses("number_not_registered", "The number isn't registered"),
  131026: refused("undeliverable", "The number can't receive this message", "number_refused"),
  // About the customer's country: it says nothing of messages to customers elsewhere.
  130497: refused("undeliverable", "The account may not message customers of this country"),
  131047: refused("outside_customer_window", "The customer wrote more than 24 hours ago", "window_closed"),
  130403: refused("recipient_blocked", "The business has blocked the customer"),
  131050: refused(
    "recipient_opted_out",
    "The customer has stopped marketing messages",
    "marketing_opted_out",
  ),
  131049: refused("engagement_limited", "Held back to keep the customer from getting too many messages"),
  130472: refused("engagement_limited", "The customer's number is part of an experiment"),
  131030: refused("upstream_rejected", "A test number may only send to its list of recipients"),
  137000: refused("upstream_rejected", "The customer's identity has changed"),
  33: refused("upstream_rejected", "The number was deleted"),
  // A media id that is no longer known is a parameter like any other to Meta: "Param image['id'] is not a valid …".
  100: refused("upstream_rejected", "A parameter isn't valid", "media_id_doubted"),
  131008: refused("upstream_rejected", "A required parameter is missing"),
  131009: refused("upstream_rejected", "A parameter's value isn't valid", "media_id_doubted"),
  131021: refused("upstream_rejected", "Sender and recipient are the same number"),
  131051: refused("upstream_rejected", "The message's type isn't supported"),
  131052: refused("invalid_media", "The media couldn't be downloaded"),
  131053: refused("invalid_media", "The media couldn't be uploaded", "media_id_doubted"),
  135000: refused("upstream_rejected", "A parameter isn't valid"),
  132000: refused("template_variables_mismatch", "The number of parameters isn't the template's"),
  132012: refused("template_variables_mismatch", "A parameter's format isn't the template's"),
  132018: refused("template_variables_mismatch", "A parameter isn't valid for the template"),
  132005: refused("template_variables_mismatch", "The text is too long with these parameters"),
  132001: refused(
    "template_not_approved",
    "The template doesn't exist in this language, or isn't approved",
    "template_disabled",
  ),
  132007: refused("template_not_approved", "The template's content violates a policy"),
  132015: refused("template_not_approved", "The template is paused for low quality", "template_paused"),
  132016: refused("template_not_approved", "The template is disabled for good", "template_disabled"),
};

/** Graph permission errors (Meta: codes 200 to 299). */
const PERMISSION = pauses("permission_missing", "Permission not granted or removed");
const isPermissionCode = (code: number) => code >= 200 && code <= 299;

export function upstreamOutcome(code: number): UpstreamOutcome | null {
  return UPSTREAM_OUTCOMES[code] ?? (isPermissionCode(code) ? PERMISSION : null);
}

/** The code under which a message failed, for a `failed` status with this upstream code. */
export function failureCode(code: number | null): ErrorCode {
  return (code === null ? null : upstreamOutcome(code)?.error) ?? "upstream_rejected";
}
