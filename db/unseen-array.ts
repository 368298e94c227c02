import type { Executor, SqlFragment } from "./client";

/**
 * SQL: an array whose length the planner doesn't see. A prepared statement then has one plan. Otherwise
 * PostgreSQL plans it anew for each execution, which takes longer than the statement: it sees that a few values are
 * cheaper than the ten that it assumes in a plan for all.
 */
export const unseenArray = (
  sql: Executor,
  values: readonly string[],
  type: "uuid" | "text" = "uuid",
): SqlFragment =>
  type === "uuid"
    ? sql`(select ${[...values]}::uuid[])::uuid[]`
    : sql`(select ${[...values]}::text[])::text[]`;
