import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { newId, time } from "./columns";
import { organizations } from "./organizations";

/** Why what came can't be trusted: headers are missing, the time is not about now, or no secret fits. */
export const INBOX_FAULTS = ["unsigned", "wrong_time", "wrong_signature"] as const;
export type InboxFault = (typeof INBOX_FAULTS)[number];

/** What came to the webhook inbox of a demo organization: the last ones, for a day at most. */
export const demoInbox = pgTable(
  "demo_inbox",
  {
    id: uuid().notNull().$defaultFn(newId),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id),
    receivedAt: time().notNull().defaultNow(),
    /** Null where the signature is right. */
    fault: text({ enum: INBOX_FAULTS }),
    /** Those that matter, by their names in lower case. */
    headers: jsonb().$type<Record<string, string>>().notNull(),
    /** Only its beginning where there is a fault. */
    body: text().notNull(),
    /** Of all that came. */
    bodyBytes: integer().notNull(),
    /** As the body says; null where there is a fault. */
    type: text(),
    messageId: uuid(),
  },
  (t) => [
    primaryKey({ name: "demo_inbox_pk", columns: [t.id, t.organizationId] }),
    index("demo_inbox_order_index").on(t.organizationId, sql`(${t.fault} is null)`, t.receivedAt, t.id),
    index("demo_inbox_age_index").on(t.receivedAt),
    check("demo_inbox_fault_check", sql`${t.fault} in ('unsigned', 'wrong_time', 'wrong_signature')`),
  ],
);
