import { z } from "zod";
import { DELIVERY_STATES, type WebhookEventType } from "@/db/schema";
import { messageOutput, moment } from "@/server/domain/messages/model/schemas";
import { type ReceivedContent, receivedContent } from "./received-content-schemas";

/** What is told of a change of a message's state: never its content. */
const stateEventData = messageOutput.extend({
  previous_state: z.enum(DELIVERY_STATES).meta({ description: "Before this change" }),
  sequence: z
    .int()
    .min(1)
    .meta({
      description:
        "Counts the events of this message from 1 without a gap. They can arrive in another order: what has a higher number " +
        "is newer",
    }),
  inferred: z.boolean().meta({
    description:
      "WhatsApp told of no delivery, but of what can only follow one: that the customer has read it",
  }),
});

/** What is told of a message that a customer wrote. */
const receivedEventData = z.object({
  message_id: z.guid(),
  thread_id: z.guid(),
  contact_id: z.guid(),
  channel_id: z.guid(),
  type: z.string().meta({
    description:
      "WhatsApp's word for what it is, such as `text` or `interactive`; it adds others over time. `content.type` is Waypost's",
    examples: ["text"],
  }),
  from: z.object({
    kind: z.literal("whatsapp"),
    handle: z.string().nullable().meta({
      description: "E.164 number without the leading plus sign; null where WhatsApp doesn't tell it",
    }),
    user_id: z.string().nullable().meta({
      description: "WhatsApp's id of the person, of use for this business only; null where it tells none",
    }),
    name: z.string().nullable().meta({ description: "As the customer calls themselves" }),
  }),
  content: receivedContent,
  written_at: moment.meta({
    description:
      "When the customer wrote it, by WhatsApp's clock, to the second. There is no `sequence`: order by this",
  }),
  received_at: moment.meta({ description: "When Waypost heard of it" }),
});

const testEventData = z.object({ endpoint_id: z.guid(), message: z.string() });

/** What every `webhook.test` says. */
export const TEST_EVENT_MESSAGE = "This is a test of the webhook endpoint.";

export type StateEventData = z.infer<typeof stateEventData>;
export type ReceivedEventData = Omit<z.infer<typeof receivedEventData>, "content"> & {
  readonly content: ReceivedContent;
};
export type TestEventData = z.infer<typeof testEventData>;

function eventOf<Type extends WebhookEventType, Data extends z.ZodType>(type: Type, data: Data) {
  return z.object({
    id: z.guid().meta({
      description:
        "Of the event, and its `webhook-id`: the same at every endpoint, however often it is delivered",
    }),
    type: z.literal(type),
    timestamp: moment.meta({ description: "When it happened, by Waypost's clock" }),
    data,
  });
}

/** The body of every webhook, by the type of its event. Readers ignore fields that they don't know: more can be added. */
export const WEBHOOK_EVENT_SCHEMAS = {
  "message.sent": eventOf("message.sent", stateEventData),
  "message.delivered": eventOf("message.delivered", stateEventData),
  "message.read": eventOf("message.read", stateEventData),
  "message.failed": eventOf("message.failed", stateEventData),
  "message.received": eventOf("message.received", receivedEventData),
  "webhook.test": eventOf("webhook.test", testEventData),
} as const satisfies { [Type in WebhookEventType]: z.ZodType<{ readonly type: Type }> };

/** A body by its type. */
export type WebhookEventOf<Type extends WebhookEventType> = z.infer<(typeof WEBHOOK_EVENT_SCHEMAS)[Type]>;

interface EventDescription {
  /** What happened, in a few words. */
  readonly summary: string;
  readonly description: string;
}

export const WEBHOOK_EVENT_DESCRIPTIONS = {
  "message.sent": {
    summary: "A message was taken by WhatsApp",
    description: "WhatsApp has taken the message, and goes on to deliver it.",
  },
  "message.delivered": {
    summary: "A message was delivered",
    description:
      "The message is on the customer's device. Where WhatsApp tells only that it was read, this comes first, with " +
      "`inferred: true`, so that nobody waits for it in vain.",
  },
  "message.read": {
    summary: "A message was read",
    description: "The customer has seen the message. Customers can turn that off, so it may never come.",
  },
  "message.failed": {
    summary: "A message has failed",
    description:
      "The message won't be delivered; `error.code` says why, and `error.resend` whether to send it again. Later evidence " +
      "can still prove it delivered, and then `message.delivered` or `message.read` follows. Where `error.code` is " +
      "`upstream_unconfirmed` or `expired`, `message.sent` or another `message.failed` can follow, too.",
  },
  "message.received": {
    summary: "A customer wrote",
    description: "A message of a customer, with its content.",
  },
  "webhook.test": {
    summary: "Somebody tests the endpoint",
    description:
      "Sent by hand to see whether the endpoint works; every endpoint gets it, whatever its `events`.",
  },
} as const satisfies { [Type in WebhookEventType]: EventDescription };
