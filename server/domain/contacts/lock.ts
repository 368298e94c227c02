import type { TransactionSql } from "@/db/client";
import type { Identity } from "@/server/adapters/whatsapp/person";

/**
 * Locks names of people until the transaction ends. Whoever makes a contact, an identity or a conversation takes the
 * lock first and looks again behind it. Several names are locked in one order, so that two transactions can't wait for
 * each other; a transaction that needs the names of two people asks for all of them at once.
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
