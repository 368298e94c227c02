import type { PauseReason } from "./pause-reasons";
import type { UpstreamCodes, UpstreamOutcome } from "./upstream-code";

const later = (
  title: string,
  said: string,
  nextStep = "Send it again: the customer hasn't received it, and it may be delivered now.",
) => ({ retry: "message", error: "upstream_unavailable", title, said, nextStep }) as const;

const pauses = (pause: PauseReason, title: string, said: string, nextStep: string) =>
  ({ retry: "channel", pause, error: "channel_unavailable", title, said, nextStep }) as const;

const SLOWER = "Send it again in a few minutes. If this happens often, send fewer messages at a time.";
const REPLACE_TOKEN =
  "An admin has to create a new token in Meta's business settings and replace the channel's access token on the Channels page.";
const GIVE_PERMISSION =
  "An admin has to give the channel's access token permission to send messages (whatsapp_business_messaging) in Meta's business settings.";
const READ_NOTICE = "An admin has to read WhatsApp's notice in WhatsApp Manager and can appeal there.";

const NOT_PERMITTED =
  "WhatsApp says that the permission to send from this number isn't granted or was removed.";

/** Graph permission errors (Meta: codes 200 to 299). */
export const PERMISSION: UpstreamOutcome = pauses(
  "permission_missing",
  "API Permission",
  NOT_PERMITTED,
  GIVE_PERMISSION,
);

/** Errors of the service, the access token, the account and the sending number. None is caused by the message. */
export const NUMBER_CODES: UpstreamCodes = {
  1: later("API Unknown", "WhatsApp reports an unknown error."),
  2: later("API Service", "WhatsApp says that its service is down or overloaded."),
  131000: later("Something went wrong", "WhatsApp reports that something went wrong, but gives no details."),
  131016: later("Service unavailable", "WhatsApp says that its service is temporarily unavailable."),
  131057: later(
    "Account in maintenance mode",
    "WhatsApp says that the business account is in maintenance mode.",
    "Send it again in a few minutes: the customer hasn't received it.",
  ),
  133004: later(
    "Server temporarily unavailable",
    "WhatsApp says that its server is temporarily unavailable.",
  ),
  4: later("API Too Many Calls", "WhatsApp says that the app has reached its rate limit.", SLOWER),
  80007: later("Rate limit issues", "WhatsApp says that the account has reached its rate limit.", SLOWER),
  130429: later(
    "Rate limit hit",
    "WhatsApp says that too many messages were sent from this channel's number in a short time.",
    SLOWER,
  ),
  131056: {
    ...later(
      "(Business Account, Consumer Account) pair rate limit hit",
      "WhatsApp says that too many messages were sent to this customer in a short time.",
      "Wait a few minutes, then send it again: the customer hasn't received it.",
    ),
    retry: "conversation",
  },
  0: pauses(
    "credentials_invalid",
    "AuthException",
    "WhatsApp says that it couldn't verify the channel's access token.",
    REPLACE_TOKEN,
  ),
  190: pauses(
    "credentials_invalid",
    "Access token has expired",
    "WhatsApp says that the channel's access token has expired or is invalid.",
    REPLACE_TOKEN,
  ),
  3: pauses(
    "permission_missing",
    "API Method",
    "WhatsApp says that the app doesn't have permission for this call.",
    GIVE_PERMISSION,
  ),
  10: pauses("permission_missing", "Permission Denied", NOT_PERMITTED, GIVE_PERMISSION),
  131005: pauses("permission_missing", "Access denied", NOT_PERMITTED, GIVE_PERMISSION),
  368: pauses(
    "policy_blocked",
    "Temporarily blocked for policies violations",
    "WhatsApp says that the business account is blocked for a violation of its policies.",
    READ_NOTICE,
  ),
  131031: pauses(
    "account_locked",
    "Business Account locked",
    "WhatsApp says that the business account is restricted or disabled for a violation of its policies.",
    READ_NOTICE,
  ),
  131042: pauses(
    "payment_required",
    "Business eligibility payment issue",
    "WhatsApp says that there is a problem with the business account's payment method.",
    "An admin has to correct the payment method in Meta's billing settings.",
  ),
  131048: pauses(
    "spam_limited",
    "Spam rate limit hit",
    "WhatsApp limits the channel's number because too many of its earlier messages were blocked or reported as spam.",
    "For now, send fewer messages, and only messages that customers asked for. An admin can see the number's quality in WhatsApp Manager.",
  ),
  131064: pauses(
    "spam_limited",
    "Template classification limit hit",
    "WhatsApp says that the limit for messages with templates of this category has been reached.",
    "For now, send fewer messages with templates of this category.",
  ),
  131045: pauses(
    "number_not_registered",
    "Incorrect certificate",
    "WhatsApp says that there is an error in the registration of the channel's number.",
    "An admin has to register the channel's number again in WhatsApp Manager.",
  ),
  133006: pauses(
    "number_not_registered",
    "Phone number re-verification needed",
    "WhatsApp says that the channel's number has to be verified before it can be registered.",
    "An admin has to verify the channel's number in WhatsApp Manager and then register it.",
  ),
  133010: pauses(
    "number_not_registered",
    "Phone number not registered",
    "WhatsApp says that the channel's number isn't registered.",
    "An admin has to register the channel's number in WhatsApp Manager.",
  ),
};
