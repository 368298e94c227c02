import {
  bigint,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { bytea, createdAt, id, time } from "./columns";
import { organizations } from "./organizations";

export const apiKeys = pgTable(
  "api_keys",
  {
    id: id(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id),
    name: text().notNull(),
    scopes: text().array().notNull(),
    /** Channels that the key may use. Null means all of them, including future ones. */
    channelIds: uuid().array(),
    /** Units of the rate-limit bucket per 60 seconds. */
    sendLimit: integer().notNull(),
    readLimit: integer().notNull(),
    expiresAt: time(),
    revokedAt: time(),
    /** A member's id. Null for the operator's CLI. */
    createdBy: uuid(),
    createdAt: createdAt(),
  },
  (t) => [unique("api_keys_id_organization_id_unique").on(t.id, t.organizationId)],
);

export const apiKeySecrets = pgTable(
  "api_key_secrets",
  {
    id: id(),
    organizationId: uuid().notNull(),
    keyId: uuid().notNull(),
    /** SHA-256 of the whole secret, including the prefix. */
    hash: bytea().notNull(),
    /** The part that may be shown: the first characters and the last four. */
    displayPrefix: text().notNull(),
    lastFour: text().notNull(),
    /** End of the overlap after a rotation. Null while it is the key's current secret. */
    endsAt: time(),
    createdAt: createdAt(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.keyId],
      foreignColumns: [apiKeys.organizationId, apiKeys.id],
    }),
    unique("api_key_secrets_hash_unique").on(t.hash),
    index("api_key_secrets_key_index").on(t.keyId, t.organizationId),
  ],
);

/** Separate from `api_keys`, so that writing it never waits for, or bloats, a table that every request reads. */
export const apiKeyUsage = pgTable(
  "api_key_usage",
  { organizationId: uuid().notNull(), keyId: uuid().primaryKey(), lastUsedAt: time().notNull() },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.keyId],
      foreignColumns: [apiKeys.organizationId, apiKeys.id],
    }),
  ],
);

/** The same for each secret. It shows whether the former one is still in use, and so when it can end. */
export const apiKeySecretUsage = pgTable("api_key_secret_usage", {
  organizationId: uuid().notNull(),
  secretId: uuid()
    .primaryKey()
    .references(() => apiKeySecrets.id),
  lastUsedAt: time().notNull(),
});

/**
 * Sliding windows of the PostgreSQL limiter: sixty-one one-second counts, for the current second and the sixty before
 * it. The migration makes the table UNLOGGED: a crash of PostgreSQL empties the windows.
 */
export const rateWindows = pgTable(
  "rate_windows",
  {
    /** An API key's id, or another subject that a policy limits. */
    subject: uuid().notNull(),
    bucket: text().notNull(),
    /** The newest counted second, in Unix seconds. Its count is at index `lastSecond % 61`. */
    lastSecond: bigint({ mode: "number" }).notNull(),
    counts: integer().array().notNull(),
  },
  (t) => [primaryKey({ columns: [t.subject, t.bucket] })],
);
