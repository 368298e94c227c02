import { z } from "zod";
import {
  WEBHOOK_DELIVERY_STATES,
  WEBHOOK_ERROR_CLASSES,
  WEBHOOK_EVENT_TYPES,
  type WebhookDeliveryState,
  type WebhookErrorClass,
} from "@/db/schema";
import { timeInput } from "@/server/core/input/time-input";
import { moment } from "@/server/domain/messages/model/schemas";
import { pageInput } from "@/server/core/paging";
import { AVAILABLE_KEPT_DAYS } from "@/server/domain/organizations/retention-days";
import { CALL_TIMEOUT_MS } from "./call";
import { webhookInput } from "../endpoints/schemas";

export const DELIVERY_ORDERS = ["newest", "oldest"] as const;
export type DeliveryOrder = (typeof DELIVERY_ORDERS)[number];

/** What each state says, for people: sentences without the last full stop. */
export const DELIVERY_STATE_MEANINGS: Readonly<Record<WebhookDeliveryState, string>> = {
  pending: "It waits for its next attempt, or is being posted just now",
  delivered: "Your endpoint answered 2xx",
  failed: "No further attempt is made, unless you ask for one",
  skipped: "The endpoint was disabled before it could be posted",
  available: `It waits to be fetched, for ${AVAILABLE_KEPT_DAYS} days: the endpoint has no URL`,
};

/** What each says of an attempt, likewise. */
export const ERROR_CLASS_MEANINGS: Readonly<Record<WebhookErrorClass, string>> = {
  dns: "The name in the URL has no address",
  connection: "Nothing takes connections at the URL",
  reset: "The connection was cut before there was an answer",
  tls: "The certificate can't be trusted",
  timeout: `No answer came within ${CALL_TIMEOUT_MS / 1000} seconds`,
  forbidden: "The URL leads to an address that isn't public",
  invalid_answer: "What came back isn't HTTP",
  redirect: "The answer was a redirect, and those aren't followed",
  status: "The answer was another than 2xx",
  rate_limited: "The answer was 429: it asks for fewer events",
  gone: "The answer was 410: the endpoint is gone, and gets disabled, unless it was a test",
  interrupted: "Waypost stopped during the call, so nobody knows whether it arrived; it is tried again",
  erased: "The customer's words were erased before it could be posted",
};

const listOf = (meanings: Readonly<Record<string, string>>) =>
  Object.entries(meanings)
    .map(([name, means]) => `\`${name}\`: ${means}.`)
    .join(" ");

export const listDeliveriesInput = webhookInput.extend({
  state: z
    .enum(WEBHOOK_DELIVERY_STATES)
    .meta({ description: `Deliveries in this state. ${listOf(DELIVERY_STATE_MEANINGS)}` })
    .optional(),
  type: z.enum(WEBHOOK_EVENT_TYPES).meta({ description: "Of events of this type" }).optional(),
  message_id: z.guid().meta({ description: "Of events of this message" }).optional(),
  since: timeInput.meta({ description: "Of events that arose then or later" }).optional(),
  until: timeInput.meta({ description: "Of events that arose before" }).optional(),
  order: z.enum(DELIVERY_ORDERS).default("newest").meta({ description: "Which come first" }),
  include: z
    .literal("payload")
    .meta({ description: "`payload` adds `body` and `headers`, as they would be posted now" })
    .optional(),
  ...pageInput,
  cursor: pageInput.cursor
    .unwrap()
    .meta({
      description:
        "`next_cursor` of the page before; with `order=oldest` also one that was kept, for what came since",
    })
    .optional(),
});

const attemptOutput = z.object({
  number: z.int().meta({ description: "From 1, over all times that it was put into the queue" }),
  started_at: moment,
  duration_ms: z.int().nullable().meta({ description: "Null while it runs, and where nobody measured it" }),
  http_status: z.int().nullable().meta({ description: "Null where there was no answer" }),
  error_class: z
    .enum(WEBHOOK_ERROR_CLASSES)
    .nullable()
    .meta({
      description: `Why it didn't succeed; null where it did, and while it runs. ${listOf(ERROR_CLASS_MEANINGS)}`,
    }),
  answer: z.string().nullable().meta({
    description:
      "The first 2 KB of the answer's body; null where it is empty, where no answer came, and once it is erased",
  }),
});

/** A run through the schedule has ten; each time that it is put into the queue again begins another. */
export const ATTEMPTS_SHOWN_MAX = 50;

const headersOutput = z.object({
  "webhook-id": z.string(),
  "webhook-timestamp": z.string(),
  "webhook-signature": z.string(),
});

export const deliveryOutput = z
  .object({
    id: z.guid().meta({ description: "Of the delivery: one event for this endpoint" }),
    event_id: z.guid().meta({
      description:
        "Of the event: its `webhook-id`, and the `id` in its body. The same at every endpoint, however often it is delivered",
    }),
    type: z.enum(WEBHOOK_EVENT_TYPES),
    state: z.enum(WEBHOOK_DELIVERY_STATES).meta({
      description: listOf(DELIVERY_STATE_MEANINGS),
    }),
    message_id: z.guid().nullable(),
    created_at: moment.meta({ description: "When the event arose" }),
    next_attempt_at: moment.nullable().meta({
      description:
        "Null when no attempt is to come. It can have passed while the endpoint is left alone because it can't be reached, " +
        "times out or answers 429",
    }),
    attempts: z.array(attemptOutput).meta({
      description: `Oldest first: all of them, or the latest ${ATTEMPTS_SHOWN_MAX} where there are more`,
    }),
    attempts_count: z.int().meta({ description: "All of them, also those that `attempts` leaves out" }),
    body: z.string().nullable().optional().meta({
      description: "With `include=payload`: the very text that is signed. Null once it is erased",
    }),
    headers: headersOutput.nullable().optional().meta({
      description: "With `include=payload`: what it is signed with, computed now. Null where `body` is",
    }),
  })
  .meta({ id: "WebhookDelivery" });

export type DeliveryOutput = z.infer<typeof deliveryOutput>;

export const deliveryPage = z
  .object({
    data: z.array(deliveryOutput),
    next_cursor: z.string().nullable().meta({
      description:
        "Null on the last page; never with `order=oldest`, where it can be kept for what comes later",
    }),
  })
  .meta({ id: "WebhookDeliveryList" });

export const redeliverInput = webhookInput.extend({
  delivery_id: z.string().meta({
    description: "The delivery's `id`; the event's, which is the `webhook-id`, finds it as well",
  }),
});
