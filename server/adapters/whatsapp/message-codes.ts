import { type ErrorCode, ERRORS } from "@/server/platform/errors";
import type { OutcomeEffect, UpstreamCodes } from "./upstream-code";

interface ErrorFields {
  readonly title: string;
  readonly said: string;
  readonly nextStep: string;
  readonly effect?: OutcomeEffect;
}

const refused = (error: ErrorCode, fields: ErrorFields) => ({ retry: "never", error, ...fields }) as const;

const SHOW_WORDS =
  "Show WhatsApp's code and its words in the timeline to whoever runs the integration. The same message would be refused again.";
const SEND_VARIABLES =
  "Ask whoever runs the integration to send the values that the page Templates shows for the template. The same message would be refused again.";
const OTHER_TEMPLATE =
  "See the template's state on the page Templates. Until it is approved, send another one.";

const refusedValue = (title: string, said: string, effect?: OutcomeEffect) =>
  refused("upstream_rejected", { title, said, nextStep: SHOW_WORDS, ...(effect ? { effect } : {}) });
const refusedVariables = (title: string, said: string) =>
  refused("template_variables_mismatch", { title, said, nextStep: SEND_VARIABLES });

/** Errors of one message: its recipient, its values, its media, its template. The same message would be refused again. */
export const MESSAGE_CODES: UpstreamCodes = {
  131026: refused("undeliverable", {
    title: "Message undeliverable",
    said: ERRORS.undeliverable.message,
    nextStep: ERRORS.undeliverable.staffRemedy,
    effect: "number_refused",
  }),
  // About the customer's country: it says nothing of messages to customers elsewhere.
  130497: refused("recipient_not_allowed", {
    title: "Business account is restricted from messaging users in this country",
    said: ERRORS.recipient_not_allowed.message,
    nextStep: ERRORS.recipient_not_allowed.staffRemedy,
  }),
  131047: refused("outside_customer_window", {
    title: "Re-engagement message",
    said: "WhatsApp reports the 24-hour customer window as closed.",
    nextStep: ERRORS.outside_customer_window.staffRemedy,
    effect: "window_closed",
  }),
  130403: refused("recipient_blocked", {
    title: "User is blocked",
    said: "WhatsApp says that the business has blocked this customer.",
    nextStep: ERRORS.recipient_blocked.staffRemedy,
  }),
  131050: refused("recipient_opted_out", {
    title: "User has stopped marketing messages",
    said: "WhatsApp says that the customer has stopped marketing messages from this business.",
    nextStep: ERRORS.recipient_opted_out.staffRemedy,
    effect: "marketing_opted_out",
  }),
  131049: refused("engagement_limited", {
    title: "Meta chose not to deliver",
    said: "WhatsApp chose not to deliver the message, to keep people from getting too many.",
    nextStep: ERRORS.engagement_limited.staffRemedy,
  }),
  130472: refused("engagement_limited", {
    title: "User's number is part of an experiment",
    said: "WhatsApp didn't send the message because the customer's number is part of an experiment.",
    nextStep: "Send it again after a day if it still matters, or reach the customer in another way.",
  }),
  131030: refused("upstream_rejected", {
    title: "Recipient phone number not in allowed list",
    said: "WhatsApp says that this recipient isn't in the list of those whom the channel's test number may write to.",
    nextStep:
      "An admin can add the recipient to the test number's list, in the settings of the app at Meta, or connect a number that isn't for tests.",
  }),
  137000: refused("upstream_rejected", {
    title: "Recipient identity key hash mismatch",
    said: "WhatsApp refused the message because the customer's identity on WhatsApp has changed.",
    nextStep: "Make sure that the number still belongs to the customer, then write the message anew.",
  }),
  33: refused("upstream_rejected", {
    title: "Parameter value is not valid",
    said: "WhatsApp says that the channel's number doesn't exist, or can't be used so.",
    nextStep: "An admin has to look in WhatsApp Manager whether the channel's number was deleted.",
  }),
  // A media id that is no longer known is a parameter like any other to Meta: "Param image['id'] is not a valid …".
  100: refusedValue(
    "Invalid parameter",
    "WhatsApp refused the message: a value in it isn't valid.",
    "media_id_doubted",
  ),
  131008: refusedValue(
    "Required parameter is missing",
    "WhatsApp refused the message: a required value is missing.",
  ),
  131009: refusedValue(
    "Parameter value is not valid",
    "WhatsApp refused the message: a value in it isn't valid.",
    "media_id_doubted",
  ),
  135000: refusedValue(
    "Generic user error",
    "WhatsApp refused the message because of an unknown error with its values.",
  ),
  131021: refused("upstream_rejected", {
    title: "Recipient cannot be sender",
    said: "WhatsApp refused the message because its recipient is the number that sends it.",
    nextStep: "Send it to another number, or from another channel.",
  }),
  131051: refusedValue(
    "Unsupported message type",
    "WhatsApp says that it doesn't support messages of this type.",
  ),
  131052: refused("invalid_media", {
    title: "Media download error",
    said: "WhatsApp couldn't download the message's file.",
    nextStep:
      "Ask whoever runs the integration whether the file's address works for everybody, and to send it anew. The same message would fail again.",
  }),
  131053: refused("invalid_media", {
    title: "Media upload error",
    said: "WhatsApp couldn't upload the message's file.",
    nextStep: "Ask whoever runs the integration for another file. The same message would fail again.",
    effect: "media_id_doubted",
  }),
  132000: refusedVariables(
    "Number of parameters does not match the expected number of params",
    "WhatsApp says that the number of values isn't that of the template's variables.",
  ),
  132012: refusedVariables(
    "Parameter format does not match format in the created template",
    "WhatsApp says that a value doesn't have the format that the template wants.",
  ),
  132018: refusedVariables(
    "There's an issue with the parameters in your template",
    "WhatsApp says that there is a problem with the template's values.",
  ),
  132005: refusedVariables(
    "Translated text too long",
    "WhatsApp says that the template's text is too long with these values.",
  ),
  132001: refused("template_not_approved", {
    title: "Template name does not exist in the translation",
    said: "WhatsApp says that the template doesn't exist in this language, or isn't approved.",
    nextStep: OTHER_TEMPLATE,
    effect: "template_disabled",
  }),
  132007: refused("template_not_approved", {
    title: "Template format character policy violated",
    said: "WhatsApp says that the template's content violates a policy.",
    nextStep:
      "Have the template's text changed and submitted to WhatsApp again. Until then send another one.",
  }),
  132015: refused("template_not_approved", {
    title: "Template is paused",
    said: "WhatsApp says that the template is paused for low quality.",
    nextStep: OTHER_TEMPLATE,
    effect: "template_paused",
  }),
  132016: refused("template_not_approved", {
    title: "Template is disabled",
    said: "WhatsApp says that the template is disabled for good, after it was paused too often for low quality.",
    nextStep: "Send another template.",
    effect: "template_disabled",
  }),
};
