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

/**
 * Outcomes of the messages that were accepted in an hour. An hour is replaced as a whole, so that its counts always
 * belong to one moment.
 */
export const usageHours = pgTable(
  "usage_hours",
  {
    organizationId: ofOrganization(),
    hour: hour(),
    channelId: uuid().notNull(),
    /** Null for messages that members and Waypost itself sent. */
    keyId: uuid(),
    /** Of failed messages. */
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
 * Latency of the messages that were accepted in an hour: of the whole organization (neither channel nor key), of each
 * channel, and of each key. One row of each hour answers every query, however many channels and keys there are.
 */
export const latencyHours = pgTable(
  "latency_hours",
  {
    organizationId: ofOrganization(),
    hour: hour(),
    channelId: uuid(),
    keyId: uuid(),
    /** Counts by bucket (server/domain/usage/histogram.ts), without trailing zeros: accepted → handed over. */
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
    // Used to replace an hour.
    index("latency_hours_hour_index").on(t.organizationId, t.hour),
  ],
);

/** Progress of an organization's hour counts. A process that counts an hour holds its lock. */
export const usageProgress = pgTable("usage_progress", {
  organizationId: uuid()
    .primaryKey()
    .references(() => organizations.id),
  /** Messages accepted earlier aren't counted yet. Null if all are. */
  countedFrom: time(),
  /** Messages accepted since then aren't counted yet. */
  countedUntil: position(),
  // States still change, so hours before this position were counted a second time.
  recountedSoonUntil: position(),
  recountedLaterUntil: position(),
  recountedLastUntil: position(),
});
