import type { TransactionSql } from "@/db/client";
import type { IdentityKind } from "@/db/schema";
import { announceContact, type PreferenceSource } from "./announce";
import { currentFirst } from "./current-names";
import { canonicalContact } from "./merged-contacts";
import { identityShape } from "./names";

/** A decision about marketing messages. */
export interface Decision {
  /** True if the customer wants them. */
  readonly isWanted: boolean;
  /** When it was made, by WhatsApp's clock. Null: now, which is newer than every earlier decision. */
  readonly at: Date | null;
  readonly source: PreferenceSource;
}

interface Recorded {
  readonly sequence: number;
  readonly identities: readonly { readonly kind: IdentityKind; readonly handle: string }[];
  readonly contactId: string;
  readonly decidedAt: Date;
  readonly storedAt: Date;
  /** Null if the contact is erased, or was in this state before: there is nothing to announce. */
  readonly news: "contact.opted_out" | "contact.opted_in" | null;
}

/**
 * Stores a contact's marketing preference unless a newer one is known, and the webhook event if it changes something.
 * WhatsApp gives times in whole seconds: within one second, the opt-out wins. So an opt-in without a time also counts
 * from the beginning of its second. A future time counts as now. For a merged contact, the canonical contact's preference
 * is set. A contact of another organization isn't changed.
 * @returns endpoints to notify after the commit, by `notifyEndpoints`.
 */
export async function recordPreferenceIn(
  tx: TransactionSql,
  organizationId: string,
  contactId: string,
  { isWanted, at, source }: Decision,
): Promise<readonly string[]> {
  const [recorded] = await tx<Recorded[]>`
    with known as materialized (
      select c.id, c.marketing_opted_out_at is not null as was_out,
        coalesce(c.marketing_wished_at, c.marketing_opted_out_at, '-infinity') as before
      from contacts c
      where c.organization_id = ${organizationId} and c.id = ${canonicalContact(tx, organizationId, contactId)}
      for no key update
    ), decision as (
      select k.*, ${!isWanted}::boolean as is_out, case
        when ${at === null}::boolean then greatest(k.before + interval '1 microsecond',
          ${isWanted ? tx`date_trunc('second', clock_timestamp())` : tx`clock_timestamp()`})
        else date_trunc('second', least(${at?.toISOString() ?? null}::timestamptz, now())) end as at
      from known k
    )
    update contacts c set marketing_wished_at = d.at, marketing_opted_out_at = case when d.is_out then d.at end,
      event_sequence = c.event_sequence + (c.erased_at is null and d.is_out <> d.was_out)::int
    from decision d
    where c.organization_id = ${organizationId} and c.id = d.id and (d.at, d.is_out) > (d.before, d.was_out)
    returning c.id as "contactId", d.at as "decidedAt", clock_timestamp() as "storedAt", c.event_sequence as sequence,
      case when c.erased_at is null and d.is_out <> d.was_out
        then case when d.is_out then 'contact.opted_out' else 'contact.opted_in' end end as news,
      (select coalesce(json_agg(json_build_object('kind', i.kind, 'handle', i.handle)
          order by i.kind = 'whatsapp' desc, ${currentFirst(tx)}), '[]')
        from contact_identities i where i.organization_id = c.organization_id and i.contact_id = c.id) as identities`;
  if (!recorded?.news) return [];
  const { sequence, identities, decidedAt, storedAt, news } = recorded;
  const data = {
    contact_id: recorded.contactId,
    sequence,
    identities: identities.map(identityShape),
    marketing_opt_out: !isWanted,
    source,
    at: decidedAt.toISOString(),
  };
  return announceContact(tx, organizationId, { type: news, at: storedAt, data });
}
