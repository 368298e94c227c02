import { z } from "zod";
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from "@/db/schema";
import { messageOutput } from "@/server/domain/messages/model/schemas";
import { AVAILABLE_KEPT_DAYS, WEBHOOKS_KEPT_DAYS } from "@/server/domain/organizations/retention-days";
import { CALL_TIMEOUT_MS } from "./deliver/call";
import { IN_FLIGHT_MAX } from "./deliver/claim";
import {
  DELIVERY_STATE_MEANINGS,
  type deliveryPage,
  ERROR_CLASS_MEANINGS,
  listDeliveriesInput,
} from "./deliver/delivery-schemas";
import { WEBHOOK_EVENT_EXAMPLES, RECEIVED_EXAMPLES } from "./events/event-examples";
import { WEBHOOK_EVENT_DESCRIPTIONS, WEBHOOK_EVENT_SCHEMAS } from "./events/event-schemas";
import { DISABLE_AFTER_MS } from "./endpoints/health";
import {
  kindsOf,
  RECEIVED_CONTENTS,
  SURROUNDINGS,
} from "@/server/domain/messages/model/received-content-schemas";
import { FORMER_SECRETS_MAX, OVERLAP_HOURS } from "./endpoints/rotate-secret";
import { ATTEMPTS_MAX, JITTER, RETRY_STEPS_SECONDS } from "./endpoints/schedule";
import { ENDPOINTS_MAX } from "./endpoints/schemas";

/** A field of an event's `data`. */
export interface DescribedField {
  /** Path from `data`, such as `from.handle`. */
  readonly name: string;
  readonly type: string;
  /** Null if the name says it all. */
  readonly description: string | null;
}

/** A term of the API, and its meaning. */
interface NamedMeaning {
  readonly name: string;
  readonly means: string;
}

/** The documentation's data about webhooks, generated from the program, so that it can't contradict it. */
export interface WebhookDescription {
  readonly events: readonly {
    readonly type: WebhookEventType;
    readonly description: string;
    readonly example: object;
  }[];
  readonly fields: {
    /** Fields of message state events in addition to the response of `GET /messages/{id}`. */
    readonly ofState: readonly DescribedField[];
    /** Fields of `message.received`. */
    readonly ofReceived: readonly DescribedField[];
    /** Fields that the content of every kind can have. */
    readonly ofEveryContent: readonly DescribedField[];
  };
  /** What customers can send, by the value of `content.type`. */
  readonly contents: readonly {
    readonly types: readonly string[];
    readonly description: string;
    /** Paths from `content`, without those of every kind. */
    readonly fields: readonly DescribedField[];
    /** An event of each type. */
    readonly examples: readonly object[];
  }[];
  /** A delivery's states, with their meaning. */
  readonly states: readonly NamedMeaning[];
  /** Why an attempt didn't succeed. */
  readonly errorClasses: readonly NamedMeaning[];
  /** Parameters that filter or order the list of deliveries. */
  readonly filters: readonly NamedMeaning[];
  /** A response of the list, with `include=payload`. */
  readonly deliveriesExample: z.output<typeof deliveryPage>;
  readonly attemptsMax: number;
  /** Seconds from each failed attempt to the next one. */
  readonly retrySeconds: readonly number[];
  /** Each is up to this much shorter or longer. */
  readonly jitterPercent: number;
  readonly timeoutSeconds: number;
  /** Maximum concurrent calls to one endpoint. */
  readonly inFlightMax: number;
  readonly disabledAfterDays: number;
  /** How long a previous secret still signs. */
  readonly secretOverlapHours: number;
  /** Maximum number of previous secrets that still sign. */
  readonly formerSecretsMax: number;
  readonly endpointsMax: number;
  /** How long deliveries and attempts are kept. */
  readonly keptDays: number;
  /** How long events that wait to be fetched are kept. */
  readonly availableKeptDays: number;
}

const DAY_MS = 86_400_000;

export function describeWebhooks(): WebhookDescription {
  const ofMessage = Object.keys(messageOutput.shape);
  return {
    events: WEBHOOK_EVENT_TYPES.map((type) => ({
      type,
      description: WEBHOOK_EVENT_DESCRIPTIONS[type].description,
      example: WEBHOOK_EVENT_EXAMPLES[type],
    })),
    fields: {
      ofState: fieldsOf("message.sent").filter(
        ({ name }) => !ofMessage.includes(name.split(".", 1)[0] ?? ""),
      ),
      ofReceived: fieldsOf("message.received"),
      ofEveryContent: leavesOf(schemaOf(z.object(SURROUNDINGS)), ""),
    },
    contents: RECEIVED_CONTENTS.map((shape) => ({
      types: kindsOf(shape),
      description: shape.meta()?.description ?? "",
      fields: leavesOf(schemaOf(shape), "").filter(({ name }) => !isOfEveryContent(name)),
      examples: kindsOf(shape).map((kind) => RECEIVED_EXAMPLES[kind]),
    })),
    states: namedMeanings(DELIVERY_STATE_MEANINGS),
    errorClasses: namedMeanings(ERROR_CLASS_MEANINGS),
    filters: filters(),
    deliveriesExample: DELIVERIES_EXAMPLE,
    attemptsMax: ATTEMPTS_MAX,
    retrySeconds: RETRY_STEPS_SECONDS,
    jitterPercent: JITTER * 100,
    timeoutSeconds: CALL_TIMEOUT_MS / 1000,
    inFlightMax: IN_FLIGHT_MAX,
    disabledAfterDays: DISABLE_AFTER_MS / DAY_MS,
    secretOverlapHours: OVERLAP_HOURS,
    formerSecretsMax: FORMER_SECRETS_MAX,
    endpointsMax: ENDPOINTS_MAX,
    keptDays: WEBHOOKS_KEPT_DAYS,
    availableKeptDays: AVAILABLE_KEPT_DAYS,
  };
}

const namedMeanings = (meanings: Readonly<Record<string, string>>): readonly NamedMeaning[] =>
  Object.entries(meanings).map(([name, means]) => ({ name, means: `${means}.` }));

/** Leaves out path parameters, and the states, which have their own table. */
function filters(): readonly NamedMeaning[] {
  return Object.entries(listDeliveriesInput.shape).flatMap(([name, schema]) => {
    const { description = "" } = (schema instanceof z.ZodOptional ? schema.unwrap() : schema).meta() ?? {};
    return name === "id" ? [] : [{ name, means: `${description.split(". ", 1)[0]}.` }];
  });
}

const EVENT_ID = "01a1fe02-5b7a-7e06-8d19-7c3b9e50f4d2";

const DELIVERIES_EXAMPLE: z.output<typeof deliveryPage> = {
  data: [
    {
      id: "01a1fe02-5b7c-7d31-9c44-0f6f3b1f2a10",
      event_id: EVENT_ID,
      type: "message.delivered",
      state: "available",
      message_id: "01a1fdfe-6a52-7c11-9c6e-2f4d4f0c7a10",
      created_at: "2026-11-21T12:04:25.498Z",
      next_attempt_at: null,
      attempts: [],
      attempts_count: 0,
      body: `{"id":"${EVENT_ID}","type":"message.delivered","timestamp":"2026-11-21T12:04:25.498Z","data":{…}}`,
      headers: {
        "webhook-id": EVENT_ID,
        "webhook-timestamp": "1795262675",
        "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
      },
    },
  ],
  next_cursor: "WyIwMWExZmUwMiJd.q7mX0y…",
};

const OF_EVERY_CONTENT = ["type", ...Object.keys(SURROUNDINGS)];
const isOfEveryContent = (path: string) => OF_EVERY_CONTENT.includes(path.split(".", 1)[0] ?? "");

function fieldsOf(type: WebhookEventType): readonly DescribedField[] {
  return leavesOf(schemaOf(WEBHOOK_EVENT_SCHEMAS[type].shape.data), "");
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Returns the JSON Schema with each named schema in the place of its reference. None contains itself. */
function schemaOf(schema: z.ZodType): JsonSchema {
  const { $defs = {}, ...root } = z.toJSONSchema(schema);
  const named = new Map(Object.entries($defs).map(([name, one]) => [`#/$defs/${name}`, one]));
  return JSON.parse(
    JSON.stringify(root, function inline(_, part: unknown): unknown {
      if (typeof part !== "object" || part === null || !("$ref" in part)) return part;
      const { $ref, ...own } = part;
      return { ...named.get(String($ref)), ...own };
    }),
  );
}

/** Objects are described by their fields. */
function leavesOf(schema: JsonSchema, prefix: string): readonly DescribedField[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    if (typeof property === "boolean") return [];
    const path = `${prefix}${name}`;
    if (property.properties !== undefined) return leavesOf(property, `${path}.`);
    const { items } = property;
    if (typeof items === "object" && "properties" in items) return leavesOf(items, `${path}[].`);
    return [{ name: path, type: typeOf(property), description: property.description ?? null }];
  });
}

const FORMATS: Readonly<Record<string, string>> = { uuid: "id", "date-time": "time" };

function typeOf({ anyOf, oneOf, type, format, const: value }: JsonSchema): string {
  if (oneOf) return "object";
  if (anyOf) return anyOf.map(typeOf).join(" or ");
  if (value !== undefined) return JSON.stringify(value);
  return FORMATS[format ?? ""] ?? [type ?? "any"].flat().join(" or ");
}
