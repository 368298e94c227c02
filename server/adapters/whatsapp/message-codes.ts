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
  "Turn on the technical details of the timeline, and show WhatsApp's error to the developer of the integration. The same message would be refused again.";
const SEND_VARIABLES =
  "Ask the developer of the integration to send the values that the Templates page shows for the template. The same message would be refused again.";
const OTHER_TEMPLATE =
  "Check the template's state on the Templates page. Until it is approved, send another template.";

const refusedValue = (title: string, said: string, effect?: OutcomeEffect) =>
  refused("upstream_rejected", { title, said, nextStep: SHOW_WORDS, ...(effect ? { effect } : {}) });
const refusedVariables = (title: string, said: string) =>
  refused("template_variables_mismatch", { title, said, nextStep: SEND_VARIABLES });

/**
 * Errors of one message: its recipient, its values, its media, its template. The same message would be refused again.
 */
export const MESSAGE_CODES: UpstreamCodes = {
  131026: refused("undeliverable", {
    title: "Message undeliverable",
    said: ERRORS.undeliverable.message,
    nextStep: ERRORS.undeliverable.staffRemedy,
    effect: "number_refused",
  }),
  // Concerns the customer's country, and doesn't affect messages to customers in other countries.
  130497: refused("recipient_not_allowed", {
    title: "Business account is restricted from messaging users in this country",
    said: ERRORS.recipient_not_allowed.message,
    nextStep: ERRORS.recipient_not_allowed.staffRemedy,
  }),
  131047: refused("outside_customer_window", {
    title: "Re-engagement message",
    said: "WhatsApp reports that the 24-hour customer service window is closed.",
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
    said: "WhatsApp says that the customer has opted out of marketing messages from this business.",
    nextStep: ERRORS.recipient_opted_out.staffRemedy,
    effect: "marketing_opted_out",
  }),
  131049: refused("engagement_limited", {
    title: "Meta chose not to deliver",
    said: "WhatsApp decided not to deliver the message, so that customers don't get too many messages.",
    nextStep: ERRORS.engagement_limited.staffRemedy,
  }),
  130472: refused("engagement_limited", {
    title: "User's number is part of an experiment",
    said: "WhatsApp didn't send the message because the customer's number is part of an experiment.",
    nextStep: "If it is still relevant, send it again after a day, or contact the customer in another way.",
  }),
  131030: refused("upstream_rejected", {
    title: "Recipient phone number not in allowed list",
    said: "WhatsApp says that this recipient isn't on the list of recipients that the channel's test number may write to.",
    nextStep:
      "An admin can add the recipient to the test number's list in the app settings at Meta, or connect a number that isn't a test number.",
  }),
  137000: refused("upstream_rejected", {
    title: "Recipient identity key hash mismatch",
    said: "WhatsApp refused the message because the customer's identity on WhatsApp has changed.",
    nextStep: "Make sure that the number still belongs to the customer. Then create a new message.",
  }),
  33: refused("upstream_rejected", {
    title: "Parameter value is not valid",
    said: "WhatsApp says that the channel's number doesn't exist or can't be used in this way.",
    nextStep: "An admin has to check in WhatsApp Manager whether the channel's number was deleted.",
  }),
  // For Meta, an unknown media id is a parameter like any other: "Param image['id'] is not a valid …".
  100: refusedValue(
    "Invalid parameter",
    "WhatsApp refused the message because a value in it isn't valid.",
    "media_id_doubted",
  ),
  131008: refusedValue(
    "Required parameter is missing",
    "WhatsApp refused the message because a required value is missing.",
  ),
  131009: refusedValue(
    "Parameter value is not valid",
    "WhatsApp refused the message because a value in it isn't valid.",
    "media_id_doubted",
  ),
  135000: refusedValue(
    "Generic user error",
    "WhatsApp refused the message because of an unknown error with its values.",
  ),
  131062: refused("upstream_rejected", {
    title: "Business-scoped User ID (BSUID) recipients are not supported for this message",
    said: "WhatsApp sends templates with a one-time code to phone numbers only, not to WhatsApp's id of a customer.",
    nextStep: "Ask the developer of the integration to send it to the customer's phone number.",
  }),
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
      "Ask the developer of the integration to check that the file's URL is public, and to send a new message. The same message would fail again.",
  }),
  131053: refused("invalid_media", {
    title: "Media upload error",
    said: "WhatsApp couldn't upload the message's file.",
    nextStep: "Ask the developer of the integration for another file. The same message would fail again.",
    effect: "media_id_doubted",
  }),
  132000: refusedVariables(
    "Number of parameters does not match the expected number of params",
    "WhatsApp says that the number of values doesn't match the number of variables in the template.",
  ),
  132012: refusedVariables(
    "Parameter format does not match format in the created template",
    "WhatsApp says that a value doesn't have the format that the template needs.",
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
      "The template's text has to be changed and submitted to WhatsApp again. Until then, send another template.",
  }),
  132015: refused("template_not_approved", {
    title: "Template is paused",
    said: "WhatsApp says that the template is paused because of low quality.",
    nextStep: OTHER_TEMPLATE,
    effect: "template_paused",
  }),
  132016: refused("template_not_approved", {
    title: "Template is disabled",
    said: "WhatsApp says that the template is permanently disabled because it was paused too often for low quality.",
    nextStep: "Send another template.",
    effect: "template_disabled",
  }),
};
