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

/** The meaning of each state, for people: sentences without the final full stop. */
export const DELIVERY_STATE_MEANINGS: Readonly<Record<WebhookDeliveryState, string>> = {
  pending: "The delivery is waiting for its next attempt, or is being posted now",
  delivered: "Your endpoint responded with a 2xx status",
  failed: "The final attempt failed. Waypost makes no further attempt unless you request one",
  skipped: "The endpoint was disabled before the event could be posted",
  available: `The endpoint has no URL: the event can be fetched for ${AVAILABLE_KEPT_DAYS} days`,
};

/** The meaning of each class for an attempt, in the same form. */
export const ERROR_CLASS_MEANINGS: Readonly<Record<WebhookErrorClass, string>> = {
  dns: "The host name in the URL could not be resolved to an address",
  connection: "Nothing accepts connections at the URL",
  reset: "The connection was closed before a response arrived",
  tls: "The TLS certificate is not trusted",
  timeout: `No response arrived within ${CALL_TIMEOUT_MS / 1000} seconds`,
  forbidden: "The URL resolves to an address that isn't public",
  invalid_answer: "The response isn't valid HTTP",
  redirect: "The response was a redirect. Redirects aren't followed",
  status: "The response had a status other than 2xx",
  rate_limited: "The response was 429: the endpoint asks for fewer events",
  gone: "The response was 410: the endpoint is gone. It is disabled, unless the event was a test",
  interrupted: "Waypost stopped during the call, so it is unknown whether the event arrived. It is retried",
  erased: "The content was erased before the event could be posted",
};

const listOf = (meanings: Readonly<Record<string, string>>) =>
  Object.entries(meanings)
    .map(([name, means]) => `\`${name}\`: ${means}.`)
    .join(" ");

export const listDeliveriesInput = webhookInput.extend({
  state: z
    .enum(WEBHOOK_DELIVERY_STATES)
    .meta({ description: `Only deliveries in this state. ${listOf(DELIVERY_STATE_MEANINGS)}` })
    .optional(),
  type: z
    .enum(WEBHOOK_EVENT_TYPES)
    .meta({ description: "Only deliveries of events of this type" })
    .optional(),
  message_id: z.guid().meta({ description: "Only deliveries of events of this message" }).optional(),
  contact_id: z
    .guid()
    .meta({
      description:
        "Only deliveries of events about this contact. Events of messages aren't about the contact",
    })
    .optional(),
  since: timeInput
    .meta({ description: "Only deliveries of events created at this time or later" })
    .optional(),
  until: timeInput.meta({ description: "Only deliveries of events created before this time" }).optional(),
  order: z.enum(DELIVERY_ORDERS).default("newest").meta({ description: "Which deliveries come first" }),
  include: z
    .literal("payload")
    .meta({
      description: "`payload` adds `body` and `headers` to each delivery, as they would be posted now",
    })
    .optional(),
  ...pageInput,
  cursor: pageInput.cursor
    .unwrap()
    .meta({
      description:
        "`next_cursor` of the previous page or, with `order=oldest`, a cursor that you stored, to get the events " +
        "created since",
    })
    .optional(),
});

const attemptOutput = z.object({
  number: z.int().meta({
    description: "Number of the attempt, from 1. It keeps counting when the delivery is queued again",
  }),
  started_at: moment,
  duration_ms: z
    .int()
    .nullable()
    .meta({ description: "Null while the attempt is running, and if the duration wasn't measured" }),
  http_status: z.int().nullable().meta({ description: "Null if there was no response" }),
  error_class: z
    .enum(WEBHOOK_ERROR_CLASSES)
    .nullable()
    .meta({
      description: `Why the attempt failed. Null if it succeeded, and while it is running. ${listOf(ERROR_CLASS_MEANINGS)}`,
    }),
  answer: z.string().nullable().meta({
    description:
      "The first 2 KB of the response body. Null if the body is empty, if no response arrived, and once it is erased",
  }),
});

/** A run through the schedule has ten attempts; each redelivery starts another run. */
export const ATTEMPTS_SHOWN_MAX = 50;

const headersOutput = z.object({
  "webhook-id": z.string(),
  "webhook-timestamp": z.string(),
  "webhook-signature": z.string(),
});

const DELIVERY_EXAMPLE = {
  id: "0198f0a4-6011-7c2d-8b3e-4f5061728394",
  event_id: "0198f0a4-6010-7b0e-a5f3-0d2e9c41b7a1",
  type: "message.sent",
  state: "delivered",
  message_id: "0198f0a4-5b5e-7c3a-9d1f-2f6f0a3c8e11",
  contact_id: null,
  created_at: "2026-01-31T12:00:01.204Z",
  next_attempt_at: null,
  attempts: [
    {
      number: 1,
      started_at: "2026-01-31T12:00:01.206Z",
      duration_ms: 48,
      http_status: 204,
      error_class: null,
      answer: null,
    },
  ],
  attempts_count: 1,
} as const;

export const deliveryOutput = z
  .object({
    id: z.guid().meta({ description: "Id of the delivery: one event for this endpoint" }),
    event_id: z.guid().meta({
      description:
        "Id of the event: its `webhook-id`, and the `id` in its body. It is the same for every endpoint and every " +
        "delivery attempt",
    }),
    type: z.enum(WEBHOOK_EVENT_TYPES),
    state: z.enum(WEBHOOK_DELIVERY_STATES).meta({
      description: listOf(DELIVERY_STATE_MEANINGS),
    }),
    message_id: z.guid().nullable().meta({ description: "Message of the event. Null if it is about none" }),
    contact_id: z.guid().nullable().meta({
      description: "Contact that the event is about. Null for events of messages, and for tests",
    }),
    created_at: moment.meta({ description: "When the event was created" }),
    next_attempt_at: moment.nullable().meta({
      description:
        "Time of the next attempt. Null if no further attempt is scheduled. It can be in the past while the " +
        "endpoint is paused because it can't be reached, times out or responds with 429",
    }),
    attempts: z.array(attemptOutput).meta({
      description: `Oldest first: all attempts, or the latest ${ATTEMPTS_SHOWN_MAX} if there are more`,
    }),
    attempts_count: z
      .int()
      .meta({ description: "Number of all attempts, including those that `attempts` leaves out" }),
    body: z
      .string()
      .nullable()
      .optional()
      .meta({
        description: "Only with `include=payload`: the exact text that is signed. Null once it is erased",
        contentMediaType: "application/json",
        contentSchema: { $ref: "#/components/schemas/Event" },
      }),
    headers: headersOutput.nullable().optional().meta({
      description: "Only with `include=payload`: the signature headers, computed now. Null if `body` is null",
    }),
  })
  .meta({ id: "WebhookDelivery", examples: [DELIVERY_EXAMPLE] });

export type DeliveryOutput = z.infer<typeof deliveryOutput>;

export const deliveryPage = z
  .object({
    data: z.array(deliveryOutput),
    next_cursor: z
      .string()
      .nullable()
      .meta({
        description:
          "Cursor of the next page. Null on the last page. With `order=oldest` it is never null: store it to get " +
          "later events",
      }),
  })
  .meta({ id: "WebhookDeliveryList", examples: [{ data: [DELIVERY_EXAMPLE], next_cursor: null }] });

export const redeliverInput = webhookInput.extend({
  delivery_id: z.string().meta({
    description: "The `id` of the delivery. The id of the event, which is the `webhook-id`, works too",
  }),
});
