import type { TransactionSql } from "@/db/client";
import { isDatabaseUnavailable } from "@/db/errors";

const STATEMENT_MAX_MS = 5_000;

/**
 * Sets a time limit for every later statement of the transaction, so that the examination doesn't disturb other work of
 * the database.
 */
export async function limitStatements(tx: TransactionSql): Promise<void> {
  await tx`select set_config('statement_timeout', ${String(STATEMENT_MAX_MS)}, true)`;
}

/** Describes an error for the operator, without addresses, statements and their values. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return "an unknown error";
  const code = "code" in error && typeof error.code === "string" ? ` (${error.code})` : "";
  // The server's own message. The doctor's statements have no values that it could repeat.
  if (error.name === "PostgresError") return `PostgreSQL says: ${error.message}${code}`;
  return isDatabaseUnavailable(error) ? `the database doesn't respond${code}` : `${error.name}${code}`;
}
