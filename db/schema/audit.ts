import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, id } from "./columns";
import { organizations } from "./organizations";

/** Who did what, written in the transaction that did it. Never holds a secret. */
export const auditLog = pgTable(
  "audit_log",
  {
    id: id(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id),
    actorKind: text({ enum: ["key", "member", "system"] }).notNull(),
    /** A key's or member's id; the job's or command's name for the system. */
    actorId: text().notNull(),
    /** `<noun>.<verb>`, such as `key.rotated`. */
    action: text().notNull(),
    subjectKind: text().notNull(),
    subjectId: uuid().notNull(),
    detail: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    requestId: text(),
    /** The network address that a member's request came from. */
    address: text(),
    createdAt: createdAt(),
  },
  (t) => [
    // The order in which it is read.
    index("audit_log_order_index").on(t.organizationId, t.createdAt, t.id),
    index("audit_log_subject_index").on(t.subjectId, t.organizationId, t.createdAt, t.id),
    // What a member did; jobs and keys do far more, and nobody searches for them by name.
    index("audit_log_member_index")
      .on(t.actorId, t.organizationId, t.createdAt, t.id)
      .where(sql`${t.actorKind} = 'member'`),
  ],
);
