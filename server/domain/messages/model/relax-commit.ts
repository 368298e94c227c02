import type { TransactionSql } from "@/db/client";

/**
 * Commits without waiting for the disk. If PostgreSQL crashes, the raw callback or the kept status, both stored
 * durably, can be applied again.
 */
export async function relaxCommit(tx: TransactionSql): Promise<void> {
  await tx`select set_config('synchronous_commit', 'off', true)`;
}
