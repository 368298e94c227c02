import type { Wish } from "@/server/adapters/whatsapp/reports";
import type { TransactionSql } from "@/db/client";
import { livingContact } from "./living";

/**
 * Keeps a contact's wish unless a newer one is known. WhatsApp tells its times in whole seconds: of two within one
 * second the refusal holds. A time to come counts as now. Of a contact that was merged it is the other one's wish.
 */
export async function noteWishIn(
  tx: TransactionSql,
  organizationId: string,
  contactId: string,
  { isWanted, at }: Wish,
): Promise<void> {
  await tx`
    with wish as (
      select date_trunc('second', least(${at.toISOString()}::timestamptz, now())) as at, ${!isWanted}::boolean as is_out)
    update contacts c
    set marketing_wished_at = w.at, marketing_opted_out_at = case when w.is_out then w.at end
    from wish w
    where c.organization_id = ${organizationId} and c.id = ${livingContact(tx, organizationId, contactId)}
      and (w.at, w.is_out) > (coalesce(c.marketing_wished_at, c.marketing_opted_out_at, '-infinity'),
        c.marketing_opted_out_at is not null)`;
}
