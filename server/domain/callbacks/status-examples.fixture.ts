import type { DeliveryState } from "@/db/schema";
import type { ErrorCode } from "@/server/platform/errors";

/** The person's names in Meta's examples. */
const USER = { recipient_user_id: "US.13491208655302741918" } as const;
const ENTERPRISE_USER = { ...USER, recipient_parent_user_id: "US.ENT.11815799212886844830" } as const;

const conversation = {
  id: "3f1d2a0b9c8d7e6f5a4b3c2d1e0f9a8b",
  expiration_timestamp: "1750116480",
  origin: { type: "utility" },
};
const pricing = { billable: true, pricing_model: "PMP", type: "regular", category: "utility" };
const freeEntry = { billable: false, pricing_model: "PMP", type: "free_entry_point" };

export interface StatusExample {
  readonly name: string;
  readonly state: DeliveryState;
  readonly error: ErrorCode | null;
  /** Without the message's id, time and recipient. */
  readonly status: object;
  /** Whether it contains the recipient's number. It doesn't for people known by a username. */
  readonly hasNumber: boolean;
  /** The contacts that the change describes beside it. */
  readonly contacts?: readonly object[];
}

const plain = { error: null, hasNumber: true } as const;

function failed(code: number, title: string, details: string): object {
  const href = "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/";
  return { status: "failed", errors: [{ code, title, message: title, error_data: { details }, href }] };
}

/**
 * Statuses as Meta documents them
 * (https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/status, and
 * business-scoped-user-ids there), with the resulting state of a sent message.
 */
export const STATUS_EXAMPLES: readonly StatusExample[] = [
  {
    ...plain,
    name: "sent, with conversation and price",
    state: "sent",
    status: { status: "sent", conversation, pricing },
  },
  {
    ...plain,
    name: "sent since version 24, without conversation",
    state: "sent",
    status: { status: "sent", pricing, recipient_identity_key_hash: "DF2lS5v2W6x=" },
  },
  {
    ...plain,
    name: "delivered, with conversation and price",
    state: "delivered",
    status: { status: "delivered", conversation, pricing },
  },
  {
    ...plain,
    name: "delivered in a conversation that an ad began",
    state: "delivered",
    status: {
      status: "delivered",
      conversation: { ...conversation, origin: { type: "referral_conversion" } },
      pricing: { ...freeEntry, category: "referral_conversion" },
    },
  },
  {
    ...plain,
    name: "delivered, with the ids of the recipient",
    state: "delivered",
    status: { status: "delivered", ...ENTERPRISE_USER, pricing },
    contacts: [
      {
        profile: { name: "Pablo M.", username: "@pablomorales" },
        user_id: USER.recipient_user_id,
        parent_user_id: ENTERPRISE_USER.recipient_parent_user_id,
      },
    ],
  },
  {
    name: "delivered to someone whose number isn't told",
    state: "delivered",
    error: null,
    hasNumber: false,
    status: { status: "delivered", ...ENTERPRISE_USER, pricing },
    contacts: [{ profile: { name: "Pablo M." }, user_id: USER.recipient_user_id }],
  },
  { ...plain, name: "read", state: "read", status: { status: "read" } },
  { ...plain, name: "read, with the price", state: "read", status: { status: "read", pricing } },
  {
    ...plain,
    name: "a voice message was played",
    state: "read",
    status: { status: "played", recipient_type: "individual" },
  },
  {
    name: "failed, held back from someone who gets too many",
    state: "failed",
    error: "engagement_limited",
    hasNumber: true,
    status: failed(
      131049,
      "This message was not delivered to maintain healthy ecosystem engagement.",
      "In order to maintain a healthy ecosystem engagement, the message failed to be delivered.",
    ),
  },
  {
    name: "failed, the window is closed",
    state: "failed",
    error: "outside_customer_window",
    hasNumber: true,
    status: failed(
      131047,
      "Re-engagement message",
      "Message failed to send because more than 24 hours have passed since the customer last replied to this number.",
    ),
  },
  {
    name: "failed, sent to the id of a person",
    state: "failed",
    error: "undeliverable",
    hasNumber: false,
    status: { ...USER, ...failed(131026, "Message undeliverable", "Message Undeliverable.") },
  },
  {
    name: "failed, with a code of no list",
    state: "failed",
    error: "upstream_rejected",
    hasNumber: true,
    status: failed(139999, "Something new", "Not known when this was written."),
  },
];
