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
    createdAt: createdAt(),
  },
  (t) => [index("audit_log_organization_index").on(t.organizationId, t.createdAt)],
);
