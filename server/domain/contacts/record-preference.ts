import type { Preference } from "@/server/adapters/whatsapp/reports";
import type { TransactionSql } from "@/db/client";
import { canonicalContact } from "./merged-contacts";

/**
 * Stores a contact's marketing preference unless a newer one is known. WhatsApp gives times in whole seconds: within
 * one second, the opt-out wins. A future time counts as now. For a merged contact, the canonical contact's preference
 * is set.
 */
export async function recordPreferenceIn(
  tx: TransactionSql,
  organizationId: string,
  contactId: string,
  { isWanted, at }: Preference,
): Promise<void> {
  await tx`
    with preference as (
      select date_trunc('second', least(${at.toISOString()}::timestamptz, now())) as at, ${!isWanted}::boolean as is_out)
    update contacts c
    set marketing_wished_at = w.at, marketing_opted_out_at = case when w.is_out then w.at end
    from preference w
    where c.organization_id = ${organizationId} and c.id = ${canonicalContact(tx, organizationId, contactId)}
      and (w.at, w.is_out) > (coalesce(c.marketing_wished_at, c.marketing_opted_out_at, '-infinity'),
        c.marketing_opted_out_at is not null)`;
}
