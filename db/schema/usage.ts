import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { time } from "./columns";
import { organizations } from "./organizations";

const NO_ID = sql.raw(`'00000000-0000-0000-0000-000000000000'`);
const EPOCH = sql`'epoch'`;

const ofOrganization = () =>
  uuid()
    .notNull()
    .references(() => organizations.id);

/** Beginning of an hour in UTC. */
const hour = () => time().notNull();
const position = () => time().notNull().default(EPOCH);

/** What became of the messages that were accepted in an hour. An hour is replaced whole, so that it is always of one moment. */
export const usageHours = pgTable(
  "usage_hours",
  {
    organizationId: ofOrganization(),
    hour: hour(),
    channelId: uuid().notNull(),
    /** Null for what members and Waypost itself sent. */
    keyId: uuid(),
    /** Of those that failed. */
    errorCode: text(),
    queued: integer().notNull(),
    sent: integer().notNull(),
    delivered: integer().notNull(),
    read: integer().notNull(),
    failed: integer().notNull(),
    countedAt: time().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("usage_hours_unique").on(
      t.organizationId,
      t.hour,
      t.channelId,
      sql`coalesce(${t.keyId}, ${NO_ID})`,
      sql`coalesce(${t.errorCode}, '')`,
    ),
  ],
);

/**
 * How long messages accepted in an hour took: of the whole organization (neither channel nor key), of each channel, and of
 * each key. One row of each hour answers whatever is asked for, however many channels and keys there are.
 */
export const latencyHours = pgTable(
  "latency_hours",
  {
    organizationId: ofOrganization(),
    hour: hour(),
    channelId: uuid(),
    keyId: uuid(),
    /** Counts by bucket (server/domain/usage/histogram.ts), without the zeros behind the last: accepted → handed over. */
    handedOver: integer().array().notNull(),
    /** The same: handed over → delivered. */
    delivered: integer().array().notNull(),
  },
  (t) => [
    uniqueIndex("latency_hours_unique").on(
      t.organizationId,
      sql`coalesce(${t.channelId}, ${t.keyId}, ${NO_ID})`,
      t.hour,
    ),
    // What an hour is replaced by.
    index("latency_hours_hour_index").on(t.organizationId, t.hour),
  ],
);

/** How far an organization's hours are counted. Its lock is held by who counts one. */
export const usageProgress = pgTable("usage_progress", {
  organizationId: uuid()
    .primaryKey()
    .references(() => organizations.id),
  /** What was accepted before isn't counted yet; null when all is. */
  countedFrom: time(),
  /** What was accepted since isn't counted yet. */
  countedUntil: position(),
  // States still change: hours before these were counted once more.
  recountedSoonUntil: position(),
  recountedLaterUntil: position(),
  recountedLastUntil: position(),
});
