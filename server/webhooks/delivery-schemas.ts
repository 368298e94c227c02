import { z } from "zod";
import { WEBHOOK_DELIVERY_STATES, WEBHOOK_ERROR_CLASSES, WEBHOOK_EVENT_TYPES } from "@/db/schema";
import { timeInput } from "../messages/list";
import { moment } from "../messages/schemas";
import { pageInput } from "../paging";
import { webhookInput } from "./schemas";

export const DELIVERY_ORDERS = ["newest", "oldest"] as const;
export type DeliveryOrder = (typeof DELIVERY_ORDERS)[number];

export const listDeliveriesInput = webhookInput.extend({
  state: z.enum(WEBHOOK_DELIVERY_STATES).optional(),
  type: z.enum(WEBHOOK_EVENT_TYPES).optional(),
  message_id: z.guid().optional().meta({ description: "Of events of this message" }),
  since: timeInput.optional().meta({ description: "Of events that arose then or later" }),
  until: timeInput.optional().meta({ description: "Of events that arose before" }),
  order: z.enum(DELIVERY_ORDERS).default("newest").meta({ description: "Which come first" }),
  include: z
    .literal("payload")
    .optional()
    .meta({ description: "`payload` adds `body` and `headers`, as they would be posted now" }),
  ...pageInput,
});

const attemptOutput = z.object({
  number: z.int().meta({ description: "From 1, over all times that it was put into the queue" }),
  started_at: moment,
  duration_ms: z.int().nullable().meta({ description: "Null while it runs, and where nobody measured it" }),
  http_status: z.int().nullable().meta({ description: "Null where there was no answer" }),
  error_class: z.enum(WEBHOOK_ERROR_CLASSES).nullable().meta({
    description: "Why it didn't succeed; null where it did, and while it runs",
  }),
  answer: z.string().nullable().meta({ description: "The first 2 KB; null once it is erased" }),
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
    id: z.guid().meta({ description: "The `webhook-id`: the same however often it is delivered" }),
    type: z.enum(WEBHOOK_EVENT_TYPES),
    state: z.enum(WEBHOOK_DELIVERY_STATES).meta({
      description:
        "`pending`: it will be posted, or is just now. `delivered`: it was. `failed`: no further attempt is made. `skipped`: " +
        "the endpoint was disabled. `available`: it waits to be fetched.",
    }),
    message_id: z.guid().nullable(),
    created_at: moment.meta({ description: "When the event arose" }),
    next_attempt_at: moment.nullable().meta({ description: "Null when no attempt is to come" }),
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
  delivery_id: z.string().meta({ description: "The `webhook-id`" }),
});
