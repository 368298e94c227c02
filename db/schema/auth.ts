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

// The first four are better-auth's: it reads and writes them by these property names.

/** Ways in which a user can prove who they are. The password's hash has better-auth's form (`salt:hash`, scrypt). */
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
    // Of other providers than passwords: never written, but better-auth insists on them.
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

/** Who is signed in. A cookie carries the token with a signature: the row alone is no way in. */
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

/** What is under way and ends by itself: a second factor that is awaited, a link to set a new password. */
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

/** Attempts to sign in within a window, by address and by account; the subject is hashed. */
export const signInAttempts = pgTable(
  "sign_in_attempts",
  { subject: text().primaryKey(), count: integer().notNull(), windowEndsAt: time().notNull() },
  (t) => [index("sign_in_attempts_window_ends_at_index").on(t.windowEndsAt)],
);

/** Browsers and networks in which somebody has signed in to an account: wrong attempts elsewhere don't refuse them. */
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

/** Links by which people become members. The token is shown once, to whoever invites, and only its hash is kept. */
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
    // One open invitation for each address: another replaces it.
    uniqueIndex("invitations_open_unique")
      .on(sql`lower(${t.email})`, t.organizationId)
      .where(sql`${t.acceptedAt} is null and ${t.revokedAt} is null`),
  ],
);
