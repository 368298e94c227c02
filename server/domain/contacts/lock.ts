import type { TransactionSql } from "@/db/client";
import type { Identity } from "@/server/adapters/whatsapp/person";

/**
 * Locks names of people until the transaction ends. Code that creates a contact, an identity or a conversation takes
 * the lock first and then checks again. Several names are locked in a fixed order, so that two transactions can't
 * deadlock. A transaction that needs the names of two people has to lock all of them in one call.
 */
export async function lockNames(
  tx: TransactionSql,
  organizationId: string,
  names: readonly Identity[],
): Promise<void> {
  const keys = [...new Set(names.map((name) => `contact:${organizationId}:${name.canonical}`))].sort();
  if (keys.length === 0) return;
  await tx`
    select pg_advisory_xact_lock(k.hash)
    from (select distinct hashtextextended(key, 0) as hash from unnest(${keys}::text[]) as u (key) order by hash) k`;
}
