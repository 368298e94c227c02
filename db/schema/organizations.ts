import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  integer,
  pgTable,
  text,
  unique,
  uuid,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { createdAt, id, time } from "./columns";

/** Minimum retention of content: messages may wait half a day in the queue, and statuses arrive for days. */
export const RETENTION_DAYS_MIN = 2;

/** 10 GiB. */
export const UPLOAD_QUOTA_BYTES_DEFAULT = 10 * 1024 ** 3;

export const organizations = pgTable(
  "organizations",
  {
    id: id(),
    name: text().notNull(),
    /** AES-256-GCM with `WAYPOST_SECRET`: the HMAC key of body fingerprints. */
    fingerprintKeyEncrypted: text().notNull(),
    isDemo: boolean().notNull().default(false),
    /** Content and numbers are erased when they are older than this. */
    retentionDays: integer().notNull().default(90),
    /** Messages up to this `accept_seq` are erased. */
    erasedUntilSeq: bigint({ mode: "number" }).notNull().default(0),
    /**
     * Contacts up to this id were checked when they were older than `retention_days`. If a contact had no message any more, its number was erased.
     */
    contactsLookedAtUntil: uuid()
      .notNull()
      .default(sql`'00000000-0000-0000-0000-000000000000'`),
    /**
     * When a person was last removed from refused requests. Requests from before that time that are stored later
     * contain no recipient.
     */
    recipientsForgottenAt: time(),
    /** Maximum size of all uploads and customers' files in bytes. Customers' files may take half of it. */
    uploadQuotaBytes: bigint({ mode: "number" }).notNull().default(UPLOAD_QUOTA_BYTES_DEFAULT),
    /**
     * Size of the uploads and customers' files that aren't erased, in bytes. Changed by the statements that store and
     * erase them.
     */
    uploadedBytes: bigint({ mode: "number" }).notNull().default(0),
    /** The part of `uploaded_bytes` that customers' files take. */
    customerFileBytes: bigint({ mode: "number" }).notNull().default(0),
    /** A customer who writes one of these words opts out of marketing messages. Null: the default words. */
    optOutWords: text().array(),
    /** A customer who writes one of these words opts in again. Null: the default words. */
    optInWords: text().array(),
    createdAt: createdAt(),
  },
  (t) => [
    check(
      "organizations_retention_days_check",
      sql`${t.retentionDays} >= ${sql.raw(String(RETENTION_DAYS_MIN))}`,
    ),
  ],
);

/** People who can sign in. better-auth uses these property names. */
export const users = pgTable(
  "users",
  {
    id: id(),
    /** In lower case. */
    email: text().notNull(),
    emailVerified: boolean().notNull().default(false),
    name: text().notNull(),
    image: text(),
    twoFactorEnabled: boolean().notNull().default(false),
    createdAt: createdAt(),
    updatedAt: time().notNull().defaultNow(),
  },
  (t) => [uniqueIndex("users_email_unique").on(sql`lower(${t.email})`)],
);

export const members = pgTable(
  "members",
  {
    id: id(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    role: text({ enum: ["owner", "admin", "agent"] }).notNull(),
    /** Permissions in addition to those of the role. */
    permissions: text().array().notNull().default([]),
    /** When the person stopped being a member. The row remains, because their actions refer to it. */
    removedAt: time(),
    createdAt: createdAt(),
  },
  (t) => [
    unique("members_id_organization_id_unique").on(t.id, t.organizationId),
    unique("members_organization_id_user_id_unique").on(t.organizationId, t.userId),
    check("members_role_check", sql`${t.role} in ('owner', 'admin', 'agent')`),
  ],
);

/** Facts about the installation itself, such as the check value of `WAYPOST_SECRET`. */
export const installation = pgTable("installation", {
  name: text().primaryKey(),
  value: text().notNull(),
  updatedAt: time().notNull().defaultNow(),
});

/**
 * One row for each minute in which at least one process could receive callbacks. Other time (all processes down)
 * doesn't count towards giving up an unconfirmed message.
 */
export const intakeMinutes = pgTable("intake_minutes", {
  minute: integer().primaryKey(),
});
