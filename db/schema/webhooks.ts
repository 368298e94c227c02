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
import { contacts } from "./contacts";
import { messages } from "./messages";
import { organizations } from "./organizations";

export const WEBHOOK_EVENT_TYPES = [
  "message.sent",
  "message.delivered",
  "message.read",
  "message.failed",
  "message.received",
  "contact.opted_out",
  "contact.opted_in",
  "contact.changed",
  "webhook.test",
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

export const WEBHOOK_DELIVERY_STATES = ["pending", "delivered", "failed", "skipped", "available"] as const;
export type WebhookDeliveryState = (typeof WEBHOOK_DELIVERY_STATES)[number];

export const WEBHOOK_DISABLED_REASONS = ["member", "failing", "gone"] as const;
export type WebhookDisabledReason = (typeof WEBHOOK_DISABLED_REASONS)[number];

/** Why an attempt failed. Null if it succeeded. */
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

/** Destinations of an organization's events. Removed ones remain, so that a removal can't break a state change. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: id(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id),
    /** Null: its events are never sent, but stored to be fetched. */
    url: text(),
    description: text().notNull().default(""),
    events: text({ enum: WEBHOOK_EVENT_TYPES }).array().notNull(),
    /** Only events of these channels. Null means all channels, including future ones. */
    channelIds: uuid().array(),
    /** Empty once the endpoint is removed. */
    secretEncrypted: text().notNull(),
    disabledAt: time(),
    disabledReason: text({ enum: WEBHOOK_DISABLED_REASONS }),
    /**
     * Only attempts that began later count for its health. Earlier ones went to another address, or to a disabled
     * endpoint.
     */
    healthSince: time().notNull().defaultNow(),
    /** All attempts since then have failed. Null after a success. */
    failingSince: time(),
    lastFailedAt: time(),
    /** When the failure was recorded in the audit log. Null until then. */
    warnedAt: time(),
    /** No attempt is made until then. Afterwards, one delivery at a time is tried until one succeeds. */
    backoffUntil: time(),
    /** When the current back-off began, or was last extended. Earlier attempts don't extend it. */
    backoffSetAt: time(),
    /** How often it was extended. 0 means no back-off. */
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

/** An endpoint's secrets before a rotation. Each signs in addition to the current one until its end. */
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

/** An event, stored once, as it is sent to every endpoint. */
export const webhookEvents = pgTable(
  "webhook_events",
  {
    id: uuid().notNull().$defaultFn(newId),
    organizationId: uuid().notNull(),
    type: text({ enum: WEBHOOK_EVENT_TYPES }).notNull(),
    /** The message that it is about. Null if it is about a contact, and for `webhook.test`. */
    messageId: uuid(),
    /** The contact that it is about. Null if it is about a message, and for `webhook.test`. */
    contactId: uuid(),
    /** The subject's own number, gap-free over a message's state events, or a contact's events. Null for other types. */
    sequence: integer(),
    /** The bytes that are signed and sent, always the same. Null once they are erased. */
    body: text(),
    /**
     * True if the body contains the event's id, which is the `webhook-id`. Older events don't contain it: their
     * `webhook-id` is the delivery's id.
     */
    idInBody: boolean().notNull().default(false),
    createdAt: writtenAt(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.messageId],
      foreignColumns: [messages.organizationId, messages.id],
    }),
    foreignKey({
      name: "webhook_events_contact_fk",
      columns: [t.organizationId, t.contactId],
      foreignColumns: [contacts.organizationId, contacts.id],
    }),
    primaryKey({ name: "webhook_events_pk", columns: [t.id, t.organizationId] }),
    uniqueIndex("webhook_events_message_unique")
      .on(t.messageId, t.sequence)
      .where(sql`${t.messageId} is not null`),
    uniqueIndex("webhook_events_contact_unique")
      .on(t.contactId, t.sequence)
      .where(sql`${t.contactId} is not null`),
    index("webhook_events_age_index").on(t.organizationId, t.createdAt),
    check("webhook_events_subject_check", sql`${t.messageId} is null or ${t.contactId} is null`),
  ],
);

/** One event for one endpoint. The table is its own outbox. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: uuid().notNull().$defaultFn(newId),
    organizationId: uuid().notNull(),
    endpointId: uuid().notNull(),
    eventId: uuid().notNull(),
    /** The event's type. */
    type: text({ enum: WEBHOOK_EVENT_TYPES }).notNull(),
    state: text({ enum: WEBHOOK_DELIVERY_STATES }).notNull(),
    /** Used by indexes of the queue. */
    isPending: boolean().generatedAlwaysAs(sql`state = 'pending'`),
    /** Due if in the past. Null if there is no further attempt. */
    nextAttemptAt: time(),
    /** Attempts of the current run through the retry schedule. */
    attempts: integer().notNull().default(0),
    /** All attempts. */
    attemptsEver: integer().notNull().default(0),
    claimToken: uuid(),
    claimedUntil: time(),
    createdAt: writtenAt(),
    /** When the last attempt began. */
    lastAttemptAt: time(),
    /** When it reached its current state, if that isn't `pending`. */
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
    // Deliveries that wait to be fetched, by age.
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
    /** Null while the call runs, and if it wasn't measured. */
    durationMs: integer(),
    finishedAt: time(),
    httpStatus: integer(),
    errorClass: text({ enum: WEBHOOK_ERROR_CLASSES }),
    /** The first 2 KB of the response. Null if there was none, and once it is erased. */
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

/** Requested replays, by the caller's own id. A repeated request returns the same result and has no further effect. */
export const webhookReplays = pgTable(
  "webhook_replays",
  {
    organizationId: uuid().notNull(),
    endpointId: uuid().notNull(),
    replayId: uuid().notNull(),
    only: text({ enum: ["failed", "skipped", "all"] }).notNull(),
    since: time().notNull(),
    until: time().notNull(),
    /** Number of deliveries that it requeues. */
    count: integer().notNull(),
    /** False if the number is a minimum, because there were too many to count. */
    isCountExact: boolean().notNull().default(true),
    /** Progress of the replay, in the order of `webhook_deliveries_order_index`. */
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
