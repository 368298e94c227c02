import { sql } from "drizzle-orm";
import {
  doublePrecision,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { bytea, time } from "./columns";
import { apiKeys } from "./keys";

/**
 * Refused public requests of known keys, for a week. For each key, only a limited number per minute is stored. Of a
 * body, only the id and the recipient (as a hash or a conversation) are stored.
 */
export const apiRequests = pgTable(
  "api_requests",
  {
    /** The `X-Request-Id` of the response. */
    id: uuid().notNull(),
    organizationId: uuid().notNull(),
    keyId: uuid().notNull(),
    /** The secret that was sent. After a rotation it may be an expired one. */
    secretId: uuid().notNull(),
    method: text().notNull(),
    /** Template of the path, from the root. */
    route: text().notNull(),
    status: integer().notNull(),
    code: text().notNull(),
    /** Path of the invalid input field. */
    field: text(),
    /** Set if the body was readable and contained a valid one. */
    clientMessageId: text(),
    /** Keyed hash of the number in the body, known or not. Without the organization's key, it identifies no one. */
    recipientHash: bytea(),
    /** The conversation in the body. */
    conversationId: uuid(),
    durationMs: doublePrecision().notNull(),
    /** In whole milliseconds, because a cursor contains it. */
    refusedAt: time().notNull(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.keyId],
      foreignColumns: [apiKeys.organizationId, apiKeys.id],
    }),
    primaryKey({ name: "api_requests_pk", columns: [t.id, t.organizationId] }),
    index("api_requests_order_index").on(t.organizationId, t.refusedAt, t.id),
    index("api_requests_key_index").on(t.keyId, t.organizationId, t.refusedAt, t.id),
    index("api_requests_client_message_id_index")
      .on(t.clientMessageId, t.organizationId, t.refusedAt, t.id)
      .where(sql`${t.clientMessageId} is not null`),
    index("api_requests_recipient_index")
      .on(t.recipientHash, t.organizationId, t.refusedAt, t.id)
      .where(sql`${t.recipientHash} is not null`),
    index("api_requests_conversation_index")
      .on(t.conversationId, t.organizationId, t.refusedAt, t.id)
      .where(sql`${t.conversationId} is not null`),
  ],
);

/** Number of refused requests by hour (UTC), key and code, including those of which no row is stored. */
export const refusalHours = pgTable(
  "refusal_hours",
  {
    organizationId: uuid().notNull(),
    hour: time().notNull(),
    keyId: uuid().notNull(),
    code: text().notNull(),
    refused: integer().notNull(),
    /** How many of them are stored in `api_requests`. */
    kept: integer().notNull(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.keyId],
      foreignColumns: [apiKeys.organizationId, apiKeys.id],
    }),
    primaryKey({ name: "refusal_hours_pk", columns: [t.organizationId, t.hour, t.keyId, t.code] }),
  ],
);

/**
 * Number of answered requests by hour (UTC), key, route and status: successes and refusals, including those of which no
 * row is stored. Names no person.
 */
export const requestHours = pgTable(
  "request_hours",
  {
    organizationId: uuid().notNull(),
    hour: time().notNull(),
    keyId: uuid().notNull(),
    method: text().notNull(),
    /** Template of the path, from the root. */
    route: text().notNull(),
    status: integer().notNull(),
    count: integer().notNull(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.keyId],
      foreignColumns: [apiKeys.organizationId, apiKeys.id],
    }),
    primaryKey({
      name: "request_hours_pk",
      columns: [t.organizationId, t.hour, t.keyId, t.method, t.route, t.status],
    }),
  ],
);
