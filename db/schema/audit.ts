import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, id } from "./columns";
import { organizations } from "./organizations";

/** Audited actions, written in the same transaction as the action. Never contains a secret. */
export const auditLog = pgTable(
  "audit_log",
  {
    id: id(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id),
    actorKind: text({ enum: ["key", "member", "system"] }).notNull(),
    /** Id of the key or the member. For the system, the name of the job or the command. */
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
    // The order in which the log is read.
    index("audit_log_order_index").on(t.organizationId, t.createdAt, t.id),
    index("audit_log_subject_index").on(t.subjectId, t.organizationId, t.createdAt, t.id),
    // Actions of members. Jobs and keys act far more often, and no one searches for them by name.
    index("audit_log_member_index")
      .on(t.actorId, t.organizationId, t.createdAt, t.id)
      .where(sql`${t.actorKind} = 'member'`),
  ],
);
