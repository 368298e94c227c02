import type { TransactionSql } from "@/db/client";
import type { Context } from "@/server/core/context";
import { hashArray, recipientHashes } from "@/server/domain/contacts/recipient-hash";

/**
 * Removes the recipient from refused requests. The rest of each row names nobody. Requests that are still in a
 * process's memory are stored without a recipient (`sinceForgotten`).
 */
export async function forgetRecipients(
  { services, actor: { organizationId } }: Context,
  { contactIds, handles }: { contactIds: readonly string[]; handles: readonly string[] },
): Promise<void> {
  const { sql } = services;
  const hashes = await recipientHashes(services, organizationId, handles);
  // Before the rows: this waits for transactions that are storing some, and later ones see it.
  await sql`update organizations set recipients_forgotten_at = clock_timestamp() where id = ${organizationId}`;
  await sql`
    update api_requests set recipient_hash = null
    where organization_id = ${organizationId} and recipient_hash = any(${hashArray(sql, hashes)})`;
  await sql`
    update api_requests r set conversation_id = null
    from conversations v
    where v.organization_id = ${organizationId} and v.contact_id = any(${[...contactIds]}::uuid[])
      and r.conversation_id = v.id and r.organization_id = v.organization_id`;
}

/**
 * Returns how many milliseconds ago each organization last removed a recipient; organizations that never did are left
 * out. Blocks such removals until the transaction ends.
 */
export async function sinceForgotten(
  tx: TransactionSql,
  organizationIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx<{ id: string; ms: number | null }[]>`
    select id, (extract(epoch from clock_timestamp() - recipients_forgotten_at) * 1000)::double precision as ms
    from organizations where id = any(${[...organizationIds]}::uuid[]) order by id for share`;
  return new Map(rows.flatMap(({ id, ms }) => (ms === null ? [] : [[id, ms]])));
}
