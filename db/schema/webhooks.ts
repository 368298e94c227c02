import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { createdAt, id, newId, time, writtenAt } from "./columns";
import { messages } from "./messages";
import { organizations } from "./organizations";

export const WEBHOOK_EVENT_TYPES = [
  "message.sent",
  "message.delivered",
  "message.read",
  "message.failed",
  "message.received",
  "webhook.test",
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

export const WEBHOOK_DELIVERY_STATES = ["pending", "delivered", "failed", "skipped", "available"] as const;
export type WebhookDeliveryState = (typeof WEBHOOK_DELIVERY_STATES)[number];

export const WEBHOOK_DISABLED_REASONS = ["member", "failing", "gone"] as const;
export type WebhookDisabledReason = (typeof WEBHOOK_DISABLED_REASONS)[number];

/** Why an attempt didn't deliver; null where it did. */
export const WEBHOOK_ERROR_CLASSES = [
  "dns",
  "connection",
  "reset",
  "tls",
  "timeout",
  "forbidden",
  "invalid_answer",
  "redirect",
  "status",
  "rate_limited",
  "gone",
  "interrupted",
  "erased",
] as const;
export type WebhookErrorClass = (typeof WEBHOOK_ERROR_CLASSES)[number];

/** Where an organization wants its events. Removed ones stay, so that a removal can't break a state change. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: id(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id),
    /** Null: its events are never sent, but kept to be fetched. */
    url: text(),
    description: text().notNull().default(""),
    events: text({ enum: WEBHOOK_EVENT_TYPES }).array().notNull(),
    /** Events of these only; null is of all channels, those of tomorrow included. */
    channelIds: uuid().array(),
    /** Empty once the endpoint is removed. */
    secretEncrypted: text().notNull(),
    disabledAt: time(),
    disabledReason: text({ enum: WEBHOOK_DISABLED_REASONS }),
    /** How it fares is told by attempts that began later; those before were for another address, or a disabled one. */
    healthSince: time().notNull().defaultNow(),
    /** Only failures since then; null after a success. */
    failingSince: time(),
    lastFailedAt: time(),
    /** When the audit log was told that it fails; null while it wasn't. */
    warnedAt: time(),
    /** Until then nothing is tried; afterwards one delivery at a time, until one gets through. */
    backoffUntil: time(),
    /** When the present back-off began, or was last lengthened: what was tried before doesn't lengthen it. */
    backoffSetAt: time(),
    /** How often it was lengthened; 0 is no back-off. */
    backoffStreak: integer().notNull().default(0),
    createdAt: createdAt(),
    deletedAt: time(),
  },
  (t) => [
    unique("webhook_endpoints_id_organization_id_unique").on(t.id, t.organizationId),
    index("webhook_endpoints_organization_index")
      .on(t.organizationId, t.id)
      .where(sql`${t.deletedAt} is null`),
    check("webhook_endpoints_disabled_check", sql`(${t.disabledAt} is null) = (${t.disabledReason} is null)`),
  ],
);

/** What an endpoint's secret was before a rotation; it signs beside the present one until its end. */
export const webhookFormerSecrets = pgTable(
  "webhook_former_secrets",
  {
    id: uuid().notNull().$defaultFn(newId),
    organizationId: uuid().notNull(),
    endpointId: uuid().notNull(),
    secretEncrypted: text().notNull(),
    endsAt: time().notNull(),
  },
  (t) => [
    primaryKey({ name: "webhook_former_secrets_pk", columns: [t.endpointId, t.id, t.organizationId] }),
    foreignKey({
      name: "webhook_former_secrets_endpoint_fk",
      columns: [t.endpointId, t.organizationId],
      foreignColumns: [webhookEndpoints.id, webhookEndpoints.organizationId],
    }),
  ],
);

/** What happened, once, as it is told to every endpoint. */
export const webhookEvents = pgTable(
  "webhook_events",
  {
    id: uuid().notNull().$defaultFn(newId),
    organizationId: uuid().notNull(),
    type: text({ enum: WEBHOOK_EVENT_TYPES }).notNull(),
    /** Null for `webhook.test`. */
    messageId: uuid(),
    /** The message's own, gap-free over its state events; null for other types. */
    sequence: integer(),
    /** The bytes that are signed and sent, always the same; null once they are erased. */
    body: text(),
    /** The body holds the id, which is the `webhook-id`. In older events it doesn't: theirs is the delivery's id. */
    idInBody: boolean().notNull().default(false),
    createdAt: writtenAt(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.messageId],
      foreignColumns: [messages.organizationId, messages.id],
    }),
    primaryKey({ name: "webhook_events_pk", columns: [t.id, t.organizationId] }),
    uniqueIndex("webhook_events_message_unique")
      .on(t.messageId, t.sequence)
      .where(sql`${t.messageId} is not null`),
    index("webhook_events_age_index").on(t.organizationId, t.createdAt),
  ],
);

/** One event for one endpoint: its own outbox. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: uuid().notNull().$defaultFn(newId),
    organizationId: uuid().notNull(),
    endpointId: uuid().notNull(),
    eventId: uuid().notNull(),
    /** The event's. */
    type: text({ enum: WEBHOOK_EVENT_TYPES }).notNull(),
    state: text({ enum: WEBHOOK_DELIVERY_STATES }).notNull(),
    /** What indexes of the queue ask. */
    isPending: boolean().generatedAlwaysAs(sql`state = 'pending'`),
    /** Due when in the past; null when never again. */
    nextAttemptAt: time(),
    /** Attempts of the present run through the schedule. */
    attempts: integer().notNull().default(0),
    /** Attempts ever. */
    attemptsEver: integer().notNull().default(0),
    claimToken: uuid(),
    claimedUntil: time(),
    createdAt: writtenAt(),
    /** When the last attempt began. */
    lastAttemptAt: time(),
    /** When it became what it is now, if it isn't `pending`. */
    endedAt: time(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.endpointId],
      foreignColumns: [webhookEndpoints.organizationId, webhookEndpoints.id],
    }),
    foreignKey({
      columns: [t.organizationId, t.eventId],
      foreignColumns: [webhookEvents.organizationId, webhookEvents.id],
    }).onDelete("cascade"),
    primaryKey({ name: "webhook_deliveries_pk", columns: [t.id, t.organizationId] }),
    unique("webhook_deliveries_event_unique").on(t.eventId, t.endpointId),
    index("webhook_deliveries_due_index")
      .on(t.endpointId, t.nextAttemptAt)
      .where(sql`${t.isPending} and ${t.claimToken} is null`),
    index("webhook_deliveries_claim_index")
      .on(t.endpointId, t.claimedUntil)
      .where(sql`${t.isPending} and ${t.claimToken} is not null`),
    index("webhook_deliveries_order_index").on(t.endpointId, t.createdAt, t.id),
    index("webhook_deliveries_state_index")
      .on(t.endpointId, t.state, t.createdAt, t.id)
      .where(sql`${t.state} in ('failed', 'skipped')`),
    // What waits to be fetched, by age.
    index("webhook_deliveries_available_index")
      .on(t.organizationId, t.createdAt)
      .where(sql`${t.state} = 'available'`),
    check(
      "webhook_deliveries_state_check",
      sql`${t.state} in ('pending', 'delivered', 'failed', 'skipped', 'available')`,
    ),
  ],
);

/** One call. Its row exists before the call starts, so that a crash advances the schedule too. */
export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    organizationId: uuid().notNull(),
    deliveryId: uuid().notNull(),
    /** From 1, over all runs through the schedule. */
    number: integer().notNull(),
    startedAt: time().notNull().defaultNow(),
    /** Null while the call runs, and where nobody measured it. */
    durationMs: integer(),
    finishedAt: time(),
    httpStatus: integer(),
    errorClass: text({ enum: WEBHOOK_ERROR_CLASSES }),
    /** The first 2 KB of it; null where there was none, and once it is erased. */
    answer: text(),
  },
  (t) => [
    primaryKey({ name: "webhook_attempts_pk", columns: [t.deliveryId, t.number] }),
    foreignKey({
      columns: [t.organizationId, t.deliveryId],
      foreignColumns: [webhookDeliveries.organizationId, webhookDeliveries.id],
    }).onDelete("cascade"),
  ],
);

/** What was asked to be sent again, by its caller's own id: asked again, it answers the same and does no more. */
export const webhookReplays = pgTable(
  "webhook_replays",
  {
    organizationId: uuid().notNull(),
    endpointId: uuid().notNull(),
    replayId: uuid().notNull(),
    only: text({ enum: ["failed", "skipped", "all"] }).notNull(),
    since: time().notNull(),
    until: time().notNull(),
    /** Deliveries that it puts back. */
    count: integer().notNull(),
    /** False where it puts back so many at least: they were too many to count. */
    isCountExact: boolean().notNull().default(true),
    /** How far it got, in the order of `webhook_deliveries_order_index`. */
    positionAt: time(),
    positionId: uuid(),
    createdAt: createdAt(),
    finishedAt: time(),
  },
  (t) => [
    primaryKey({ name: "webhook_replays_pk", columns: [t.endpointId, t.replayId] }),
    foreignKey({
      columns: [t.organizationId, t.endpointId],
      foreignColumns: [webhookEndpoints.organizationId, webhookEndpoints.id],
    }),
    index("webhook_replays_running_index")
      .on(t.endpointId, t.createdAt)
      .where(sql`${t.finishedAt} is null`),
  ],
);
