import type { TransactionSql } from "@/db/client";
import { isDatabaseUnavailable } from "@/db/errors";

const STATEMENT_MAX_MS = 5_000;

/** Ends every later statement of the transaction by itself when it takes too long: the database has other work. */
export async function limitStatements(tx: TransactionSql): Promise<void> {
  await tx`select set_config('statement_timeout', ${String(STATEMENT_MAX_MS)}, true)`;
}

/** What an error says to the operator. Addresses, statements and their values stay out of it. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return "an unknown error";
  const code = "code" in error && typeof error.code === "string" ? ` (${error.code})` : "";
  // What the server itself says: the doctor's statements have no values that it could repeat.
  if (error.name === "PostgresError") return `PostgreSQL says: ${error.message}${code}`;
  return isDatabaseUnavailable(error) ? `the database doesn't respond${code}` : `${error.name}${code}`;
}
