import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { newId, time } from "./columns";
import { organizations } from "./organizations";

/** Why a webhook can't be trusted: headers are missing, the time is not current, or no secret matches. */
export const INBOX_FAULTS = ["unsigned", "wrong_time", "wrong_signature"] as const;
export type InboxFault = (typeof INBOX_FAULTS)[number];

/** Webhooks that the inbox of a demo organization received: the latest ones, for a day at most. */
export const demoInbox = pgTable(
  "demo_inbox",
  {
    id: uuid().notNull().$defaultFn(newId),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id),
    receivedAt: time().notNull().defaultNow(),
    /** Null if the signature is valid. */
    fault: text({ enum: INBOX_FAULTS }),
    /** The relevant headers, with their names in lower case. */
    headers: jsonb().$type<Record<string, string>>().notNull(),
    /** Only its beginning if there is a fault. */
    body: text().notNull(),
    /** Size of the whole body. */
    bodyBytes: integer().notNull(),
    /** The type in the body. Null if there is a fault. */
    type: text(),
    messageId: uuid(),
    /** Only if it is about no message. */
    contactId: uuid(),
  },
  (t) => [
    primaryKey({ name: "demo_inbox_pk", columns: [t.id, t.organizationId] }),
    index("demo_inbox_order_index").on(t.organizationId, sql`(${t.fault} is null)`, t.receivedAt, t.id),
    index("demo_inbox_age_index").on(t.receivedAt),
    check("demo_inbox_fault_check", sql`${t.fault} in ('unsigned', 'wrong_time', 'wrong_signature')`),
  ],
);
