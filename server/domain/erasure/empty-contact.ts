import type { TransactionSql } from "@/db/client";
import { retryOnConflict } from "@/db/errors";
import type { Context } from "@/server/core/context";
import { lockNames } from "@/server/domain/contacts/lock";
import type { Identity } from "@/server/adapters/whatsapp/person";

/**
 * Removes names and numbers from those contacts that have no stored message any more. Their rows stay, so that ids stay
 * valid; the same number creates a new contact later. Contacts that are one person are treated as one. Who opted out of
 * marketing keeps number and ids: otherwise the opt-out would end with the retention period.
 * @returns the number of contacts that had something to remove.
 */
export async function emptyUnusedContacts(args: {
  ctx: Context;
  input: { contactIds: readonly string[] };
}): Promise<number> {
  const { ctx, input } = args;
  const { organizationId } = ctx.actor;
  if (input.contactIds.length === 0) return 0;
  return retryOnConflict(() =>
    ctx.services.sql.begin(async (tx) => {
      const candidates = (await unused(tx, organizationId, input.contactIds)).map(({ id }) => id);
      if (candidates.length === 0) return 0;
      await lockNames(tx, organizationId, await namesOf(tx, organizationId, candidates));
      await tx`
        select from contacts where organization_id = ${organizationId} and id = any(${candidates}::uuid[])
        order by id for update`;
      // Checked again under the locks: concurrent arrivals have finished, and later ones no longer find the names.
      const emptied = (await unused(tx, organizationId, input.contactIds)).filter(({ id }) =>
        candidates.includes(id),
      );
      const namesToTake = emptied.filter(({ isOptedOut }) => !isOptedOut);
      await takeIdentities(
        tx,
        organizationId,
        namesToTake.map(({ id }) => id),
      );
      await takeProfile(
        tx,
        organizationId,
        emptied.map(({ id }) => id),
      );
      return emptied.filter(({ isNamed }) => isNamed).length;
    }),
  );
}

/** Removes every name of the contacts, also from webhook events about them. The caller holds the locks of the names. */
export async function takeNames(
  tx: TransactionSql,
  organizationId: string,
  contactIds: readonly string[],
): Promise<void> {
  await takeIdentities(tx, organizationId, contactIds);
  await takeProfile(tx, organizationId, contactIds);
}

/** Removes numbers and WhatsApp's ids. */
async function takeIdentities(
  tx: TransactionSql,
  organizationId: string,
  contactIds: readonly string[],
): Promise<void> {
  await tx`
    delete from contact_identities
    where organization_id = ${organizationId} and contact_id = any(${[...contactIds]}::uuid[])`;
}

/** Removes what people call the contacts, and the bodies of webhook events about them. */
async function takeProfile(
  tx: TransactionSql,
  organizationId: string,
  contactIds: readonly string[],
): Promise<void> {
  const ids = [...contactIds];
  await tx`
    update contacts set name = null
    where organization_id = ${organizationId} and id = any(${ids}::uuid[]) and name is not null`;
  await eraseAnnounced(tx, organizationId, ids);
}

/** Erases the bodies of webhooks about the contacts, and the endpoints' responses. */
async function eraseAnnounced(tx: TransactionSql, organizationId: string, ids: string[]): Promise<void> {
  // Locked for update: code that stores a response locks the event, and sees that it is erased.
  await tx`
    with locked as materialized (
      select id from webhook_events
      where organization_id = ${organizationId} and contact_id = any(${ids}::uuid[])
      order by id for update
    )
    update webhook_events v set body = null from locked
    where v.id = locked.id and v.organization_id = ${organizationId} and v.body is not null`;
  await tx`
    update webhook_attempts a set answer = null
    from webhook_events v join webhook_deliveries d on d.event_id = v.id and d.organization_id = v.organization_id
    where v.organization_id = ${organizationId} and v.contact_id = any(${ids}::uuid[])
      and a.delivery_id = d.id and a.organization_id = d.organization_id and a.answer is not null`;
}

/** Returns the names of the contacts. */
export async function namesOf(
  tx: TransactionSql,
  organizationId: string,
  contactIds: readonly string[],
): Promise<readonly Identity[]> {
  return tx<Identity[]>`
    select kind, handle, canonical from contact_identities
    where organization_id = ${organizationId} and contact_id = any(${[...contactIds]}::uuid[])`;
}

interface UnusedContact {
  readonly id: string;
  /** It has a name, or a number or id that isn't kept for an opt-out. */
  readonly isNamed: boolean;
  readonly isOptedOut: boolean;
}

/** Returns those of these contacts, and of contacts merged with them, that have no stored message. */
async function unused(
  tx: TransactionSql,
  organizationId: string,
  contactIds: readonly string[],
): Promise<UnusedContact[]> {
  return tx<UnusedContact[]>`
    with recursive kin as (
      select id as seed, id, merged_into from contacts
      where organization_id = ${organizationId} and id = any(${[...contactIds]}::uuid[])
      union
      select k.seed, n.id, n.merged_into from kin k, lateral (
        select id, merged_into from contacts where organization_id = ${organizationId} and id = k.merged_into
        union all
        select id, merged_into from contacts where organization_id = ${organizationId} and merged_into = k.id) n
    ), used as (
      select k.seed from kin k
      join conversations v on v.organization_id = ${organizationId} and v.contact_id = k.id
      where exists (select from messages m where m.conversation_id = v.id and m.erased_at is null)
    )
    select c.id, c.marketing_opted_out_at is not null as "isOptedOut",
      c.name is not null or (c.marketing_opted_out_at is null and exists (select from contact_identities i
        where i.organization_id = ${organizationId} and i.contact_id = c.id)) as "isNamed"
    from contacts c
    where c.organization_id = ${organizationId}
      and c.id in (select k.id from kin k where k.seed not in (select seed from used))
    order by c.id`;
}
