import type { Context } from "@/server/core/context";
import { hashArray, recipientHashes } from "@/server/domain/contacts/recipient-hash";

/** Takes out of refused requests which person they were meant for. The rest of each row names nobody. */
export async function forgetRecipients(
  { services, actor: { organizationId } }: Context,
  { contactIds, handles }: { contactIds: readonly string[]; handles: readonly string[] },
): Promise<void> {
  const { sql } = services;
  const hashes = await recipientHashes(services, organizationId, handles);
  await sql`
    update api_requests set recipient_hash = null
    where organization_id = ${organizationId} and recipient_hash = any(${hashArray(sql, hashes)})`;
  await sql`
    update api_requests r set conversation_id = null
    from conversations v
    where v.organization_id = ${organizationId} and v.contact_id = any(${[...contactIds]}::uuid[])
      and r.conversation_id = v.id and r.organization_id = v.organization_id`;
}
