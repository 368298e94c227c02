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

/** Public requests that were refused, of known keys, for a week; of each key only so many a minute. Of a body, only the id and whom it names are kept. */
export const apiRequests = pgTable(
  "api_requests",
  {
    /** What the answer told as `X-Request-Id`. */
    id: uuid().notNull(),
    organizationId: uuid().notNull(),
    keyId: uuid().notNull(),
    /** The key's secret that was sent; after a rotation it may be one that has ended. */
    secretId: uuid().notNull(),
    method: text().notNull(),
    /** Template of the path, from the root. */
    route: text().notNull(),
    status: integer().notNull(),
    code: text().notNull(),
    /** Path of the input field at fault. */
    field: text(),
    /** Where the body could be read, and had a valid one. */
    clientMessageId: text(),
    /** Keyed hash of the number that the body named, known or not; without the organization's key it leads to nobody. */
    recipientHash: bytea(),
    /** The conversation that the body named. */
    conversationId: uuid(),
    durationMs: doublePrecision().notNull(),
    /** In whole milliseconds: a cursor names it. */
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

/** How often requests were refused, by hour (UTC), key and code: all of them, also those of which no row is kept. */
export const refusalHours = pgTable(
  "refusal_hours",
  {
    organizationId: uuid().notNull(),
    hour: time().notNull(),
    keyId: uuid().notNull(),
    code: text().notNull(),
    refused: integer().notNull(),
    /** Of them, those that `api_requests` was given. */
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
