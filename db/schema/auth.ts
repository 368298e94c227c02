import { sql } from "drizzle-orm";
import {
  boolean,
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
import { bytea, createdAt, id, time } from "./columns";
import { members, organizations, users } from "./organizations";

// The first four tables are better-auth's, which uses these property names.

/** Credentials of a user. The password's hash has better-auth's format (`salt:hash`, scrypt). */
export const accounts = pgTable(
  "accounts",
  {
    id: id(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The user's id, for passwords. */
    accountId: text().notNull(),
    /** `credential` for passwords. */
    providerId: text().notNull(),
    password: text(),
    // For other providers than passwords. Never written, but better-auth requires the columns.
    accessToken: text(),
    refreshToken: text(),
    idToken: text(),
    accessTokenExpiresAt: time(),
    refreshTokenExpiresAt: time(),
    scope: text(),
    createdAt: createdAt(),
    updatedAt: time().notNull().defaultNow(),
  },
  (t) => [unique("accounts_user_id_provider_id_unique").on(t.userId, t.providerId)],
);

/** Sign-in sessions. A cookie contains the token with a signature, so the row alone gives no access. */
export const sessions = pgTable(
  "sessions",
  {
    id: id(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    token: text().notNull(),
    expiresAt: time().notNull(),
    ipAddress: text(),
    userAgent: text(),
    createdAt: createdAt(),
    updatedAt: time().notNull().defaultNow(),
  },
  (t) => [
    unique("sessions_token_unique").on(t.token),
    index("sessions_user_index").on(t.userId),
    index("sessions_expires_at_index").on(t.expiresAt),
  ],
);

/** Pending steps that expire: a second factor, a link to set a new password. */
export const verifications = pgTable(
  "verifications",
  {
    id: id(),
    identifier: text().notNull(),
    value: text().notNull(),
    expiresAt: time().notNull(),
    createdAt: createdAt(),
    updatedAt: time().notNull().defaultNow(),
  },
  (t) => [
    index("verifications_identifier_index").on(t.identifier),
    index("verifications_expires_at_index").on(t.expiresAt),
  ],
);

/** A user's second factor, encrypted by better-auth. */
export const twoFactors = pgTable(
  "two_factors",
  {
    id: id(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    secret: text().notNull(),
    backupCodes: text().notNull(),
    verified: boolean().notNull().default(false),
    failedVerificationCount: integer().notNull().default(0),
    lockedUntil: time(),
  },
  (t) => [unique("two_factors_user_id_unique").on(t.userId)],
);

/** Sign-in attempts within a window, by address and by account. The subject is hashed. */
export const signInAttempts = pgTable(
  "sign_in_attempts",
  { subject: text().primaryKey(), count: integer().notNull(), windowEndsAt: time().notNull() },
  (t) => [index("sign_in_attempts_window_ends_at_index").on(t.windowEndsAt)],
);

/**
 * Browsers and networks from which someone has signed in to an account. Failed attempts from elsewhere don't block
 * them.
 */
export const signInPlaces = pgTable(
  "sign_in_places",
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** A keyed hash of the browser's id or of the network. */
    place: text().notNull(),
    lastUsedAt: time().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.place] }),
    index("sign_in_places_last_used_at_index").on(t.lastUsedAt),
  ],
);

/** Links that make a person a member. The token is shown once, to the inviting person, and only its hash is stored. */
export const invitations = pgTable(
  "invitations",
  {
    id: id(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id),
    email: text().notNull(),
    role: text({ enum: ["owner", "admin", "agent"] }).notNull(),
    permissions: text().array().notNull().default([]),
    /** SHA-256. */
    tokenHash: bytea().notNull(),
    /** Null for the operator's command. */
    invitedBy: uuid(),
    expiresAt: time().notNull(),
    acceptedAt: time(),
    revokedAt: time(),
    createdAt: createdAt(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.invitedBy],
      foreignColumns: [members.organizationId, members.id],
    }),
    unique("invitations_token_hash_unique").on(t.tokenHash),
    // One open invitation for each address. A new one replaces it.
    uniqueIndex("invitations_open_unique")
      .on(sql`lower(${t.email})`, t.organizationId)
      .where(sql`${t.acceptedAt} is null and ${t.revokedAt} is null`),
  ],
);
