import type { TransactionSql } from "@/db/client";

/**
 * Doesn't wait for the disk at commit: if PostgreSQL crashes before, the raw callback or the kept status, which were
 * stored durably, is still there to be applied again.
 */
export async function relaxCommit(tx: TransactionSql): Promise<void> {
  await tx`select set_config('synchronous_commit', 'off', true)`;
}
