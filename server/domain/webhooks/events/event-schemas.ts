import { z } from "zod";
import type { WebhookEventType } from "@/db/schema";
import { contactChangedData, preferenceData } from "./contact-event-schemas";
import {
  deliveryState,
  messageOutput,
  type MessageOutput,
  moment,
} from "@/server/domain/messages/model/schemas";
import { party } from "@/server/domain/contacts/names";
import { quote } from "@/server/domain/messages/model/conversation-schemas";
import {
  type ReceivedContent,
  receivedContent,
} from "@/server/domain/messages/model/received-content-schemas";

/** The data of a message state event. */
const stateEventData = messageOutput
  .extend({
    delivery_state: deliveryState,
    previous_state: deliveryState.meta({ description: "State before this change" }),
    sequence: z
      .int()
      .min(1)
      .meta({
        description:
          "Number of this event among the events of this message, from 1 and without gaps. Events can arrive in a " +
          "different order: the event with the higher number is newer",
      }),
    inferred: z.boolean().meta({
      description:
        "True if WhatsApp reported no delivery, only that the customer has read the message, which implies the delivery",
    }),
  })
  .meta({ id: "MessageStateChange", description: "A message, as it was after the change of its state" });

/** The data of a customer's message. */
const receivedEventData = z
  .object({
    message_id: z.guid(),
    thread_id: z.guid(),
    contact_id: z.guid(),
    channel_id: z.guid(),
    type: z.string().meta({
      description:
        "WhatsApp's message type, for example `text` or `interactive`. WhatsApp adds types over time. `content.type` " +
        "is Waypost's own type",
      examples: ["text"],
    }),
    direction: z.literal("inbound"),
    to: z.null().meta({ description: "Null, as in each inbound message" }),
    from: z.object({
      ...party.shape,
      name: z.string().nullable().meta({ description: "Profile name that the customer has chosen" }),
    }),
    content: receivedContent,
    reply_to: quote
      .nullable()
      .meta({ description: "The message that this one quotes. Null if it quotes none" }),
    written_at: moment.meta({
      description:
        "When the customer wrote the message, by WhatsApp's clock, to the second. There is no `sequence`: use this " +
        "field for ordering",
    }),
    received_at: moment.meta({ description: "When Waypost received the message" }),
  })
  .meta({ id: "InboundMessage", description: "A message that a customer sent" });

const testEventData = z.object({ endpoint_id: z.guid(), message: z.string() });

/** The text of every `webhook.test`. */
export const TEST_EVENT_MESSAGE = "This is a test of the webhook endpoint.";

export type StateEventData = Omit<z.infer<typeof stateEventData>, "content"> & Pick<MessageOutput, "content">;
export type ReceivedEventData = Omit<z.infer<typeof receivedEventData>, "content"> & {
  readonly content: ReceivedContent;
};
export type TestEventData = z.infer<typeof testEventData>;

function eventOf<Type extends WebhookEventType, Data extends z.ZodType>(type: Type, data: Data) {
  return z.object({
    id: z.guid().meta({
      description:
        "Id of the event, equal to its `webhook-id`. It is the same for every endpoint and every delivery attempt",
    }),
    type: z.literal(type),
    timestamp: moment.meta({ description: "When the event happened, by Waypost's clock" }),
    data,
  });
}

/** The body of every webhook, by event type. Readers ignore unknown fields, so more can be added. */
export const WEBHOOK_EVENT_SCHEMAS = {
  "message.sent": eventOf("message.sent", stateEventData),
  "message.delivered": eventOf("message.delivered", stateEventData),
  "message.read": eventOf("message.read", stateEventData),
  "message.failed": eventOf("message.failed", stateEventData),
  "message.received": eventOf("message.received", receivedEventData),
  "contact.opted_out": eventOf("contact.opted_out", preferenceData),
  "contact.opted_in": eventOf("contact.opted_in", preferenceData),
  "contact.changed": eventOf("contact.changed", contactChangedData),
  "webhook.test": eventOf("webhook.test", testEventData),
} as const satisfies { [Type in WebhookEventType]: z.ZodType<{ readonly type: Type }> };

/** A body by its type. */
export type WebhookEventOf<Type extends WebhookEventType> = z.infer<(typeof WEBHOOK_EVENT_SCHEMAS)[Type]>;

interface EventDescription {
  /** The event in a few words. */
  readonly summary: string;
  readonly description: string;
}

export const WEBHOOK_EVENT_DESCRIPTIONS = {
  "message.sent": {
    summary: "WhatsApp accepted a message",
    description: "WhatsApp has accepted the message and is delivering it.",
  },
  "message.delivered": {
    summary: "A message was delivered",
    description:
      "The message is on the customer's device. If WhatsApp reports only that the message was read, Waypost sends " +
      "this event first, with `inferred: true`, so that you never wait for it in vain.",
  },
  "message.read": {
    summary: "A message was read",
    description:
      "The customer has seen the message. Customers can turn read receipts off, so this event may never come.",
  },
  "message.failed": {
    summary: "A message failed",
    description:
      "The message won't be delivered. `error.code` gives the reason, and `error.resend` says whether to send it " +
      "again. WhatsApp can still report a delivery later: then `message.delivered` or `message.read` follows. If " +
      "`error.code` is `upstream_unconfirmed` or `expired`, `message.sent` or another `message.failed` can follow " +
      "too.",
  },
  "message.received": {
    summary: "A customer sent a message",
    description: "A message from a customer, with its content.",
  },
  "contact.opted_out": {
    summary: "A customer no longer wants marketing messages",
    description:
      "The contact opted out of marketing messages. Templates of the category `marketing` are refused with " +
      "`recipient_opted_out` from then on. Sent once for each decision that changes something.",
  },
  "contact.opted_in": {
    summary: "A customer wants marketing messages again",
    description:
      "The contact takes marketing messages again. Sent once for each decision that changes something.",
  },
  "contact.changed": {
    summary: "A customer has a new number",
    description:
      "WhatsApp reported a new number, or a new id, of a customer, or the same customer wrote from another number. " +
      "The contact and its threads stay the same; messages to the thread go to the new number. A change back is " +
      "reported, too.",
  },
  "webhook.test": {
    summary: "The endpoint is tested",
    description:
      "Sent on request, to check that the endpoint works. Every endpoint receives it, whatever its `events`.",
  },
} as const satisfies { [Type in WebhookEventType]: EventDescription };
