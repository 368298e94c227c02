import { z } from "zod";
import { DELIVERY_STATES } from "@/db/schema";
import { party } from "@/server/domain/contacts/names";
import { direction, messageContent, quote, type SentContent } from "./conversation-schemas";
import type { ReceivedContent } from "./received-content-schemas";
import { ERRORS, FAILURE_CODES, RESEND_ADVICE } from "@/server/platform/errors";

export const deliveryState = z.enum(DELIVERY_STATES).meta({
  id: "DeliveryState",
  description: "Where a message is. No other state is ever added",
});

const IDS = {
  message_id: "0198f0a4-5b5e-7c3a-9d1f-2f6f0a3c8e11",
  client_message_id: "order-4711-thanks",
  thread_id: "0198f0a4-5b3c-7f14-8a52-64f1b7c2d905",
  contact_id: "0198f0a4-5b3b-7a60-b7de-91c0a4e3f722",
} as const;

/** Of a first request and of its repetition. */
const SEND_EXAMPLES = [
  { ...IDS, delivery_state: "queued", deduplicated: false },
  { ...IDS, delivery_state: "sent", deduplicated: true },
];

export const sendMessageOutput = z
  .object({
    message_id: z.guid(),
    thread_id: z.guid(),
    contact_id: z.guid(),
    delivery_state: deliveryState,
    client_message_id: z.string(),
    deduplicated: z.boolean(),
  })
  .meta({ id: "SendMessageResponse", examples: SEND_EXAMPLES });

export type SendMessageOutput = z.infer<typeof sendMessageOutput>;

export const getMessageInput = z.strictObject({
  id: z.string().meta({ description: "The `message_id` of the message" }),
});

/** Reasons for `failed`: generated, so that every code is listed. */
const FAILURES = FAILURE_CODES.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join(" ");

/** A time in a response. */
export const moment = z.iso.datetime().meta({ description: "RFC 3339, UTC" });

const resendAdvice = z.enum(RESEND_ADVICE).meta({
  id: "ResendAdvice",
  description:
    "`safe`: the message was not delivered, because WhatsApp said so or because it was never handed over. " +
    "`later`: sending again can succeed later, from `resend_after` or after `Retry-After` if given. " +
    "`never`: the same request would be refused again, or must not be sent. Change it first. " +
    "`may_duplicate`: WhatsApp may have accepted the message. If you send it again, the customer can get it twice. " +
    "After a refusal, repeat the same request. To resend a failed message, use a new `client_message_id`",
});

const upstreamError = z
  .object({
    code: z.int().meta({ description: "WhatsApp's error code", examples: [131026] }),
    title: z
      .string()
      .nullable()
      .meta({
        description:
          "Title of the code in WhatsApp's documentation. For a code that Waypost doesn't know, the title " +
          "that WhatsApp sent, or null",
        examples: ["Message undeliverable"],
      }),
  })
  .meta({ id: "UpstreamError", description: "An error of WhatsApp" });

const messageError = z
  .object({
    code: z
      .string()
      .meta({ description: `${FAILURES} More codes can be added.`, "x-extensible-enum": FAILURE_CODES }),
    message: z.string(),
    resend: resendAdvice,
    resend_after: moment.nullable(),
    doc_url: z.url().nullable().meta({ description: "Link to the documentation of the code" }),
    upstream: upstreamError.nullable().meta({
      description:
        "WhatsApp's error, from the response or status that caused the failure. Null if Waypost's own rules " +
        "caused it. For people and for support: programs should act on `code`",
    }),
  })
  .meta({ id: "MessageError", description: "Why a message failed" });

/** A message that was delivered. */
export const MESSAGE_EXAMPLE = {
  ...IDS,
  channel_id: "0198e7d1-0c2e-7b11-a3c4-5d2f8e6b7a90",
  direction: "outbound",
  type: "text",
  to: { kind: "whatsapp", handle: "4915112345678", user_id: null },
  from: null,
  content: { text: { body: "Thank you for your order 4711." } },
  reply_to: null,
  delivery_state: "delivered",
  error: null,
  created_at: "2026-01-31T12:00:00.000Z",
  sent_at: "2026-01-31T12:00:01.000Z",
  delivered_at: "2026-01-31T12:00:03.000Z",
  read_at: null,
  failed_at: null,
} as const;

/** A customer's message. */
const INBOUND_EXAMPLE = {
  ...MESSAGE_EXAMPLE,
  message_id: "0198f0a6-1d3e-7b52-8f04-9a6c2e7d5b18",
  client_message_id: null,
  direction: "inbound",
  to: null,
  from: { kind: "whatsapp", handle: "4915112345678", user_id: null },
  content: { type: "text", text: { body: "Where is it?" } },
  reply_to: { message_id: IDS.message_id, upstream_id: "wamid.HBgNNDkxNTExMjM0NTY3OBUCABEY" },
  delivery_state: null,
  created_at: "2026-01-31T12:02:10.000Z",
  sent_at: null,
  delivered_at: null,
} as const;

/** A message of either direction in an API response. */
export const messageOutput = z
  .object({
    message_id: z.guid(),
    client_message_id: z.string().nullable(),
    thread_id: z.guid(),
    contact_id: z.guid(),
    channel_id: z.guid(),
    direction,
    type: z.string().meta({
      description:
        "Type of the message, as it was sent. Of a customer's message, WhatsApp's type: `content.type` is Waypost's own. " +
        "More types can be added.",
    }),
    to: party.nullable().meta({ description: "Recipient of an outbound message. Null for an inbound one" }),
    from: party.nullable().meta({ description: "Sender of an inbound message. Null for an outbound one" }),
    content: messageContent,
    reply_to: quote
      .nullable()
      .meta({ description: "The message that this one quotes. Null if it quotes none" }),
    delivery_state: deliveryState.nullable().meta({ description: "Null for an inbound message only" }),
    error: messageError.nullable(),
    created_at: moment.meta({
      description: "When Waypost accepted the message, or received it from the customer",
    }),
    sent_at: moment.nullable(),
    delivered_at: moment.nullable(),
    read_at: moment.nullable(),
    failed_at: moment.nullable(),
  })
  .meta({ id: "Message", examples: [MESSAGE_EXAMPLE, INBOUND_EXAMPLE] });

export type MessageOutput = Omit<z.infer<typeof messageOutput>, "content"> & {
  readonly content: ReceivedContent | SentContent | null;
};
