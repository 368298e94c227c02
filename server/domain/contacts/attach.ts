import type { TransactionSql } from "@/db/client";
import { newId } from "@/db/schema";
import { findNames, type FoundName } from "./find";
import { lockNames } from "./lock";
import { recordPreferenceIn } from "./record-preference";
import { identitiesOf, type Identity, type Person } from "@/server/adapters/whatsapp/person";

/** What became of names that were given to a contact. */
export interface Attached {
  /** Kinds of the names that stay with another contact. */
  readonly conflicts: readonly string[];
  /** True if the contact has a name that it didn't have. */
  readonly isChanged: boolean;
  /** Webhook endpoints to notify after the commit. */
  readonly endpointIds: readonly string[];
}

/** Adds a person's names to a contact, such as a new number, by the rules of `attachNamesIn`. */
export async function attachPersonIn(
  tx: TransactionSql,
  organizationId: string,
  contactId: string,
  person: Person,
): Promise<Attached> {
  const names = identitiesOf(person);
  await lockNames(tx, organizationId, names);
  const found = await findNames(tx, organizationId, names);
  return attachNamesIn(tx, organizationId, { contactId, names, found });
}

/**
 * Gives names to a contact, under the names' locks. A name of another contact moves here, together with everything this
 * other contact has, if that one has no number of its own: WhatsApp has then just said that both are one person.
 * Otherwise both contacts stay.
 */
export async function attachNamesIn(
  tx: TransactionSql,
  organizationId: string,
  target: { contactId: string; names: readonly Identity[]; found: readonly FoundName[] },
): Promise<Attached> {
  const { contactId, names, found } = target;
  const others = found.filter((identity) => identity.contactId !== contactId);
  const absorbed = new Set(others.filter(({ hasNumber }) => !hasNumber).map((one) => one.contactId));
  const endpointIds: string[] = [];
  let isChanged = absorbed.size > 0;
  for (const other of absorbed) endpointIds.push(...(await absorb(tx, organizationId, other, contactId)));
  for (const name of names) {
    const ofKind = found.filter((identity) => identity.kind === name.kind);
    const isStored = ofKind.some((identity) => identity.handle === name.handle);
    const isElsewhere = ofKind.length > 0 && ofKind.every((identity) => identity.contactId !== contactId);
    if (isStored || isElsewhere) continue;
    await insertIdentity(tx, organizationId, contactId, name);
    isChanged = true;
  }
  const conflicts = [
    ...new Set(others.filter(({ hasNumber }) => hasNumber).map((identity) => identity.kind)),
  ];
  return { conflicts, isChanged, endpointIds };
}

export async function insertIdentity(
  tx: TransactionSql,
  organizationId: string,
  contactId: string,
  identity: Identity,
): Promise<void> {
  await tx`
    insert into contact_identities (id, organization_id, contact_id, kind, handle, canonical)
    values (${newId()}, ${organizationId}, ${contactId}, ${identity.kind}, ${identity.handle}, ${identity.canonical})`;
}

/**
 * Merges a contact into another one: moves its names, its conversations on channels where the other has none, and the
 * marketing opt-out, whose source is then WhatsApp: it proved that both are one person. The emptied contact stays, because its id was given out. Contacts that were merged into it earlier
 * then point to the other one.
 * @returns endpoints to notify if the other contact's preference changes with it.
 */
async function absorb(
  tx: TransactionSql,
  organizationId: string,
  from: string,
  into: string,
): Promise<readonly string[]> {
  await tx`
    update contact_identities set contact_id = ${into}
    where organization_id = ${organizationId} and contact_id = ${from}`;
  await tx`
    update conversations v set contact_id = ${into}
    where v.organization_id = ${organizationId} and v.contact_id = ${from}
      and not exists (select from conversations o where o.contact_id = ${into} and o.channel_id = v.channel_id)`;
  await tx`
    update contacts set merged_into = ${into}
    where organization_id = ${organizationId} and (id = ${from} or merged_into = ${from})`;
  await tx`
    update contacts c set name = coalesce(c.name, f.name)
    from contacts f
    where c.organization_id = ${organizationId} and c.id = ${into}
      and f.organization_id = ${organizationId} and f.id = ${from}`;
  const [preference] = await tx<{ isWanted: boolean; at: Date }[]>`
    select marketing_opted_out_at is null as "isWanted", coalesce(marketing_wished_at, marketing_opted_out_at) as at
    from contacts
    where organization_id = ${organizationId} and id = ${from}
      and (marketing_wished_at is not null or marketing_opted_out_at is not null)`;
  if (!preference) return [];
  return recordPreferenceIn(tx, organizationId, into, { ...preference, source: "whatsapp" });
}
