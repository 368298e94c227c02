import type { InboundExample } from "./inbound-examples.fixture";

/** Ids of Meta's examples. */
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

/** The message as Meta sends it, with the sender described beside it. */
export function inboundPayload(example: InboundExample, wamid: string, timestamp: string): object {
  const message = { from: EXAMPLE.number, id: wamid, timestamp, type: example.type, ...example.message };
  return payload("messages", ofNumber({ contacts, messages: [message] }));
}

const conversation = {
  id: "3f1d2a0b9c8d7e6f5a4b3c2d1e0f9a8b",
  expiration_timestamp: "1750116480",
  origin: { type: "utility" },
};
const pricing = { billable: true, pricing_model: "PMP", type: "regular", category: "utility" };

/** Statuses as Meta documents them, but for the message's id. */
export const STATUS_EXAMPLES = [
  { state: "sent", status: { status: "sent", conversation, pricing } },
  { state: "delivered", status: { status: "delivered", conversation, pricing } },
  { state: "read", status: { status: "read" } },
  { state: "read", status: { status: "played", recipient_type: "individual" } },
  {
    state: "failed",
    status: {
      status: "failed",
      errors: [
        {
          code: 131049,
          title: "This message was not delivered to maintain healthy ecosystem engagement.",
          message: "This message was not delivered to maintain healthy ecosystem engagement.",
          error_data: {
            details:
              "In order to maintain a healthy ecosystem engagement, the message failed to be delivered.",
          },
          href: "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/",
        },
      ],
    },
  },
] as const;

/** Changes for which there is nothing to do. */
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
