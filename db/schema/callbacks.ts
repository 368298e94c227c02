import { sql } from "drizzle-orm";
import { foreignKey, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { channels } from "./channels";
import { bytea, createdAt, id, time } from "./columns";

/** Raw callbacks as received, because Meta can't be asked for them again. */
export const upstreamCallbacks = pgTable(
  "upstream_callbacks",
  {
    id: id(),
    organizationId: uuid().notNull(),
    channelId: uuid().notNull(),
    body: bytea().notNull(),
    receivedAt: time().notNull().defaultNow(),
    processedAt: time(),
    claimedUntil: time(),
    /** Number of claims so far. A row that keeps failing is retried less and less often. */
    tries: integer().notNull().default(0),
    /** Parts of the body that were not understood, or that Waypost can't handle. */
    problem: text(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.channelId],
      foreignColumns: [channels.organizationId, channels.id],
    }),
    index("upstream_callbacks_waiting_index")
      .on(t.channelId, t.receivedAt)
      .where(sql`${t.processedAt} is null`),
    index("upstream_callbacks_kept_index")
      .on(t.organizationId, t.receivedAt)
      .where(sql`${t.processedAt} is not null`),
  ],
);

/** Statuses whose message isn't known yet. They can arrive before the response that contains their wamid. */
export const unmatchedStatuses = pgTable(
  "unmatched_statuses",
  {
    id: id(),
    organizationId: uuid().notNull(),
    channelId: uuid().notNull(),
    upstreamId: text().notNull(),
    status: text().notNull(),
    entry: jsonb().$type<Record<string, unknown>>().notNull(),
    /** The customer's number as dialled, for a failure that may be about one of our open attempts. */
    recipient: text(),
    createdAt: createdAt(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.channelId],
      foreignColumns: [channels.organizationId, channels.id],
    }),
    unique("unmatched_statuses_unique").on(t.upstreamId, t.channelId, t.status),
    index("unmatched_statuses_age_index").on(t.createdAt, t.organizationId),
    index("unmatched_statuses_recipient_index")
      .on(t.createdAt)
      .where(sql`${t.recipient} is not null`),
  ],
);
