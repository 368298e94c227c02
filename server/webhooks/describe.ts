import { z } from "zod";
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from "@/db/schema";
import { messageOutput } from "../messages/schemas";
import { AVAILABLE_KEPT_DAYS, WEBHOOKS_KEPT_DAYS } from "../retention/days";
import { CALL_TIMEOUT_MS } from "./call";
import { IN_FLIGHT_MAX } from "./claim";
import { WEBHOOK_EVENT_EXAMPLES } from "./event-examples";
import { WEBHOOK_EVENT_DESCRIPTIONS, WEBHOOK_EVENT_SCHEMAS } from "./event-schemas";
import { DISABLE_AFTER_MS } from "./health";
import { FORMER_SECRETS_MAX, OVERLAP_HOURS } from "./rotate-secret";
import { ATTEMPTS_MAX, JITTER, RETRY_STEPS_SECONDS } from "./schedule";
import { ENDPOINTS_MAX } from "./schemas";

/** A field of an event's `data`. */
export interface DescribedField {
  /** Path from `data`, such as `from.handle`. */
  readonly name: string;
  readonly type: string;
  /** Null where the name says it all. */
  readonly description: string | null;
}

/** What documentation tells of webhooks: from what the program does, so that it can't say anything else. */
export interface WebhookDescription {
  readonly events: readonly {
    readonly type: WebhookEventType;
    readonly description: string;
    readonly example: object;
  }[];
  readonly fields: {
    /** Those that events of a message's state have beside what `GET /messages/{id}` answers. */
    readonly ofState: readonly DescribedField[];
    /** Those of `message.received`. */
    readonly ofReceived: readonly DescribedField[];
  };
  readonly attemptsMax: number;
  /** After each attempt that failed, so long until the next one. */
  readonly retrySeconds: readonly number[];
  /** Each is up to so much shorter or longer. */
  readonly jitterPercent: number;
  readonly timeoutSeconds: number;
  /** Calls to one endpoint at once. */
  readonly inFlightMax: number;
  readonly disabledAfterDays: number;
  /** For so long a secret signs beside those that replace it, */
  readonly secretOverlapHours: number;
  /** unless so many were replaced after it. */
  readonly formerSecretsMax: number;
  readonly endpointsMax: number;
  /** Deliveries and attempts, */
  readonly keptDays: number;
  /** and what waits to be fetched. */
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
    },
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

function fieldsOf(type: WebhookEventType): readonly DescribedField[] {
  return leavesOf(z.toJSONSchema(WEBHOOK_EVENT_SCHEMAS[type].shape.data), "");
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Objects are told of by their fields. */
function leavesOf(schema: JsonSchema, prefix: string): readonly DescribedField[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    if (typeof property === "boolean") return [];
    const path = `${prefix}${name}`;
    if (property.properties !== undefined) return leavesOf(property, `${path}.`);
    return [{ name: path, type: typeOf(property), description: property.description ?? null }];
  });
}

const FORMATS: Readonly<Record<string, string>> = { uuid: "id", "date-time": "time" };

function typeOf({ anyOf, type, format, const: value }: JsonSchema): string {
  if (anyOf) return anyOf.map(typeOf).join(" or ");
  if (value !== undefined) return JSON.stringify(value);
  return FORMATS[format ?? ""] ?? [type ?? "any"].flat().join(" or ");
}
