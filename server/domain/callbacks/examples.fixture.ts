import type { InboundExample } from "./inbound-examples.fixture";

/** The ids in Meta's examples. */
export const EXAMPLE = {
  wabaId: "102290129340398",
  phoneNumberId: "106540352242922",
  number: "16505551234",
  userId: "US.13491208655302741918",
} as const;

const contacts = [{ profile: { name: "Sheena Nelson" }, wa_id: EXAMPLE.number }];
const metadata = { display_phone_number: "15550783881", phone_number_id: EXAMPLE.phoneNumberId };

export function payload(field: string, value: object): object {
  return {
    object: "whatsapp_business_account",
    entry: [{ id: EXAMPLE.wabaId, time: 1739321024, changes: [{ value, field }] }],
  };
}

/** A value of the field `messages`, `user_preferences` or `calls`. */
export function ofNumber(content: object): object {
  return { messaging_product: "whatsapp", metadata, ...content };
}

/** The message as Meta sends it, with the sender's profile beside it. */
export function inboundPayload(example: InboundExample, wamid: string, timestamp: string): object {
  const message = { from: EXAMPLE.number, id: wamid, timestamp, type: example.type, ...example.message };
  return payload("messages", ofNumber({ contacts, messages: [message] }));
}

/** Meta's notifications about the state of a template, with our resulting state. */
export const TEMPLATE_EXAMPLES = [
  { event: "PENDING", also: { reason: "NONE" }, state: "pending", stateReason: null },
  { event: "APPROVED", also: { reason: "NONE" }, state: "approved", stateReason: null },
  {
    event: "REJECTED",
    also: {
      reason: "INVALID_FORMAT",
      rejection_info: {
        reason: "Variables can't be at the start or end of the template.",
        recommendation: "Add text around the variables, and submit the template again.",
      },
    },
    state: "rejected",
    stateReason: "INVALID_FORMAT",
  },
  { event: "IN_APPEAL", also: { reason: "NONE" }, state: "pending", stateReason: null },
  {
    event: "PAUSED",
    also: {
      reason: "NONE",
      other_info: {
        title: "FIRST_PAUSE",
        description: "Your WhatsApp message template has been paused for 3 hours.",
      },
    },
    state: "paused",
    stateReason: null,
  },
  { event: "FLAGGED", also: { reason: "NONE" }, state: "approved", stateReason: null },
  {
    event: "DISABLED",
    also: { reason: "NONE", disable_info: { disable_date: "1751234563" } },
    state: "disabled",
    stateReason: null,
  },
  { event: "REINSTATED", also: { reason: "NONE" }, state: "approved", stateReason: null },
  { event: "LIMIT_EXCEEDED", also: { reason: "NONE" }, state: "paused", stateReason: null },
  { event: "LOCKED", also: { reason: "NONE" }, state: "disabled", stateReason: null },
  { event: "ARCHIVED", also: { reason: "NONE" }, state: "disabled", stateReason: null },
  { event: "UNARCHIVED", also: { reason: "NONE" }, state: "pending", stateReason: null },
  { event: "PENDING_DELETION", also: { reason: null }, state: "disabled", stateReason: null },
  { event: "DELETED", also: { reason: null }, state: "disabled", stateReason: null },
] as const;

/** An error of the upstream or of the account, not of one message. */
export const ERRORS_EXAMPLE = {
  errors: [
    {
      code: 130429,
      title: "Rate limit hit",
      message: "(#130429) Rate limit hit",
      error_data: {
        details:
          "Message failed to send because there were too many messages sent from this phone number in a short period of time",
      },
      href: "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/",
    },
  ],
} as const;

/** Changes that need no action. */
export const IGNORED_EXAMPLES = [
  {
    field: "phone_number_quality_update",
    value: {
      display_phone_number: "15550783881",
      event: "ONBOARDING",
      current_limit: "TIER_250",
      max_daily_conversations_per_business: "TIER_250",
    },
  },
  { field: "account_update", value: { phone_number: "15550783881", event: "VERIFIED_ACCOUNT" } },
  {
    field: "business_capability_update",
    value: { max_daily_conversations_per_business: 2000, max_phone_numbers_per_business: 25 },
  },
  {
    field: "account_alerts",
    value: {
      entity_type: "PHONE_NUMBER",
      entity_id: EXAMPLE.phoneNumberId,
      alert_info: { alert_severity: "INFORMATIONAL", alert_status: "NONE", alert_type: "OBA_APPROVED" },
    },
  },
  {
    field: "message_template_quality_update",
    value: {
      previous_quality_score: "GREEN",
      new_quality_score: "YELLOW",
      message_template_id: 806312974732579,
    },
  },
  {
    field: "calls",
    value: ofNumber({
      calls: [
        {
          id: "wacid.business",
          to: EXAMPLE.number,
          from: "15550783881",
          event: "connect",
          timestamp: "1749416383",
          direction: "BUSINESS_INITIATED",
        },
      ],
      statuses: [{ id: "wacid.business", type: "call", status: "RINGING", timestamp: "1749416383" }],
    }),
  },
] as const;
