import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from "@/db/schema";
import { CALL_TIMEOUT_MS } from "@/server/domain/webhooks/deliver/call";
import { WEBHOOK_EVENT_EXAMPLES, RECEIVED_EXAMPLES } from "@/server/domain/webhooks/events/event-examples";
import {
  WEBHOOK_EVENT_DESCRIPTIONS,
  WEBHOOK_EVENT_SCHEMAS,
} from "@/server/domain/webhooks/events/event-schemas";
import { describeSchema, type Json } from "./document-schemas";
import { OVERLAP_HOURS } from "@/server/domain/webhooks/endpoints/rotate-secret";

/** The `webhooks` of the OpenAPI document: the bodies that Waypost posts to an endpoint, by event type. */
export function documentedWebhooks(): Readonly<Record<string, object>> {
  return Object.fromEntries(WEBHOOK_EVENT_TYPES.map((type) => [type, { post: operationOf(type) }]));
}

function operationOf(type: WebhookEventType): object {
  return {
    ...WEBHOOK_EVENT_DESCRIPTIONS[type],
    operationId: `on${componentOf(type)}`,
    tags: ["Webhooks"],
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: { $ref: refOf(type) }, ...examplesOf(type) },
      },
    },
    responses: type === "webhook.test" ? { ...ACCEPTED, default: TEST_FAILED } : { ...ACCEPTED, ...REFUSED },
  };
}

function examplesOf(type: WebhookEventType): object {
  if (type !== "message.received") return { example: WEBHOOK_EVENT_EXAMPLES[type] };
  const examples = Object.entries(RECEIVED_EXAMPLES).map(([kind, value]) => [kind, { value }]);
  return { examples: Object.fromEntries(examples) };
}

/** The schemas of the bodies: `Event`, one for each type of event, and what they refer to. */
export function eventComponents(): Json {
  const ofTypes = WEBHOOK_EVENT_TYPES.map((type) => {
    const { schema, components } = describeSchema(WEBHOOK_EVENT_SCHEMAS[type], "output");
    return {
      ...components,
      [componentOf(type)]: { ...schema, description: WEBHOOK_EVENT_DESCRIPTIONS[type].summary },
    };
  });
  const refs = WEBHOOK_EVENT_TYPES.map((type) => [type, refOf(type)] as const);
  const event = {
    description:
      "The body of every webhook. `type` determines `data`. More types can be added: ignore one that you don't know",
    oneOf: refs.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: "type", mapping: Object.fromEntries(refs) },
  };
  return Object.assign({}, ...ofTypes, { Event: event });
}

const refOf = (type: WebhookEventType) => `#/components/schemas/${componentOf(type)}`;

/** Converts for example `message.sent` to `MessageSentEvent`. */
function componentOf(type: WebhookEventType): string {
  const words = type.split(".").map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return `${words.join("")}Event`;
}

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
});

const HEADERS = [
  header(
    "webhook-id",
    "Id of the event, and the `id` in the body. It is the same for every endpoint and every delivery attempt. If " +
      "you have already received an event with this id, this one is a duplicate",
  ),
  header("webhook-timestamp", "Time at which this attempt was signed, in Unix seconds"),
  header(
    "webhook-signature",
    "One or more signatures, separated by spaces (Standard Webhooks). The webhook is genuine if any of them " +
      "matches. Each is `v1,` followed by the base64 of an HMAC-SHA-256 of `webhook-id`, `webhook-timestamp` and the " +
      "raw body, joined by dots. The key is the endpoint's " +
      `secret, or a secret that was replaced in the last ${OVERLAP_HOURS} hours`,
  ),
];

const ACCEPTED = {
  "2XX": {
    description: `The event is accepted, if the response arrives within ${CALL_TIMEOUT_MS / 1000} seconds. The response body is ignored`,
  },
};

/** A test has no retries, and doesn't affect the endpoint's state. */
const TEST_FAILED = {
  description:
    "Any other response, including 410, means that the test failed. It isn't tried again and never disables the " +
    "endpoint",
};

const REFUSED = {
  "410": { description: "The endpoint no longer wants events, so the endpoint is disabled" },
  "429": {
    description: "Too many events: nothing is posted for at least a minute, or as `Retry-After` says",
    headers: {
      "Retry-After": {
        description: "Seconds, or a date. The wait is between one and two times the scheduled wait",
        schema: { type: "string" },
      },
    },
  },
  default: {
    description:
      "Any other response, including a redirect, means that the attempt failed. It is retried after 5 seconds, 5 " +
      "and 30 minutes, and 2, 5, 10, 14, 20 and 24 hours",
  },
};
