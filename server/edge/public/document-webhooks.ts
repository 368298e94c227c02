import { z } from "zod";
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from "@/db/schema";
import { CALL_TIMEOUT_MS } from "@/server/domain/webhooks/deliver/call";
import { WEBHOOK_EVENT_EXAMPLES } from "@/server/domain/webhooks/events/event-examples";
import {
  WEBHOOK_EVENT_DESCRIPTIONS,
  WEBHOOK_EVENT_SCHEMAS,
} from "@/server/domain/webhooks/events/event-schemas";
import { RECEIVED_EXAMPLES } from "@/server/domain/webhooks/events/received-examples";
import { OVERLAP_HOURS } from "@/server/domain/webhooks/endpoints/rotate-secret";

/** The `webhooks` of the OpenAPI document: what Waypost posts to an endpoint, by the type of the event. */
export function documentedWebhooks(): Readonly<Record<string, object>> {
  return Object.fromEntries(WEBHOOK_EVENT_TYPES.map((type) => [type, { post: operationOf(type) }]));
}

function operationOf(type: WebhookEventType): object {
  return {
    ...WEBHOOK_EVENT_DESCRIPTIONS[type],
    operationId: `webhook-${type}`,
    tags: ["Webhooks"],
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: schemaOf(type), ...examplesOf(type) },
      },
    },
    responses: type === "webhook.test" ? { ...TAKEN, default: TEST_FAILED } : { ...TAKEN, ...REFUSED },
  };
}

function examplesOf(type: WebhookEventType): object {
  if (type !== "message.received") return { example: WEBHOOK_EVENT_EXAMPLES[type] };
  const examples = Object.entries(RECEIVED_EXAMPLES).map(([kind, value]) => [kind, { value }]);
  return { examples: Object.fromEntries(examples) };
}

/** Open, as fields can be added. */
function schemaOf(type: WebhookEventType): object {
  const { $schema: _, $defs: __, ...schema } = jsonSchemaOf(type);
  return schema;
}

/** What the schemas of bodies refer to, for the document's components. */
export function webhookComponents(): Readonly<Record<string, object>> {
  return Object.assign({}, ...WEBHOOK_EVENT_TYPES.map((type) => jsonSchemaOf(type).$defs ?? {}));
}

function jsonSchemaOf(type: WebhookEventType): z.core.JSONSchema.BaseSchema {
  const schema = z.toJSONSchema(WEBHOOK_EVENT_SCHEMAS[type], {
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
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
    "Of the event, and the `id` in the body: the same at every endpoint, however often it is delivered. What came before " +
      "under it is a duplicate",
  ),
  header("webhook-timestamp", "When this attempt was signed, in Unix seconds"),
  header(
    "webhook-signature",
    "One or more signatures, divided by spaces; any that matches will do (Standard Webhooks). Each is `v1,` and the base64 " +
      "of an HMAC-SHA-256 of `webhook-id`, `webhook-timestamp` and the raw body, with dots between, under the endpoint's " +
      `secret, or under one that was replaced in the last ${OVERLAP_HOURS} hours`,
  ),
];

const TAKEN = {
  "2XX": {
    description: `Taken, if within ${CALL_TIMEOUT_MS / 1000} seconds. What the body says doesn't matter`,
  },
};

/** A test has no schedule, and says nothing of how the endpoint fares. */
const TEST_FAILED = {
  description: "Anything else, 410 too, has failed. It isn't tried again, and disables nothing",
};

const REFUSED = {
  "410": { description: "Not wanted any more: the endpoint is disabled" },
  "429": {
    description: "Too many: nothing more comes for a minute at least, or as `Retry-After` says",
    headers: {
      "Retry-After": {
        description: "Seconds, or a date: honoured between one and two times of what the schedule says",
        schema: { type: "string" },
      },
    },
  },
  default: {
    description:
      "Anything else has failed, a redirect too, and is tried again: after 5 seconds, 5 and 30 minutes, and 2, 5, 10, 14, 20 " +
      "and 24 hours",
  },
};
