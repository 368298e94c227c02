import type { Executor, SqlFragment, TransactionSql } from "@/db/client";
import { newId } from "@/db/schema";
import { announceChanged } from "./announce";
import { isBefore, lastUse, readCurrentNames } from "./current-names";
import { findNames, type FoundName } from "./find";
import { lockNames } from "./lock";
import { recordPreferenceIn } from "./record-preference";
import { identitiesOf, type Identity, type Person } from "@/server/adapters/whatsapp/person";

/** The result of giving names to a contact. */
export interface Attached {
  /** Kinds of the names that stay with another contact. */
  readonly conflicts: readonly string[];
  /** The contact's names before, if the given ones may replace them. Null if they are its current names anyway. */
  readonly previous: Person | null;
  /** Webhook endpoints to notify after the commit. */
  readonly endpointIds: readonly string[];
}

interface Target {
  readonly contactId: string;
  readonly names: readonly Identity[];
  /** The stored identities with these names. */
  readonly found: readonly FoundName[];
}

/** Adds a person's names to a contact, by the rules of `attachNamesIn`. */
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
  { contactId, names, found }: Target,
): Promise<Attached> {
  const others = found.filter((identity) => identity.contactId !== contactId);
  const absorbed = new Set(others.filter(({ hasNumber }) => !hasNumber).map((one) => one.contactId));
  const added = names.filter((name) => {
    const ofKind = found.filter((identity) => identity.kind === name.kind);
    const isStored = ofKind.some((identity) => identity.handle === name.handle);
    const isElsewhere = ofKind.length > 0 && ofKind.every((identity) => identity.contactId !== contactId);
    return !isStored && !isElsewhere;
  });
  const isReplacing = found.some((identity) => identity.contactId === contactId && !identity.isCurrent);
  const previous =
    absorbed.size > 0 || added.length > 0 || isReplacing
      ? await readCurrentNames(tx, organizationId, contactId)
      : null;
  const endpointIds: string[] = [];
  for (const other of absorbed) endpointIds.push(...(await absorb(tx, organizationId, other, contactId)));
  for (const name of added) await insertIdentity(tx, organizationId, contactId, name);
  const conflicts = [
    ...new Set(others.filter(({ hasNumber }) => hasNumber).map((identity) => identity.kind)),
  ];
  return { conflicts, previous, endpointIds };
}

/**
 * Takes a person's new number from the contact that had it, under the names' locks, unless WhatsApp has used it for that
 * contact since. A contact that has no other name, and never wrote before the change, is the person under the new
 * number: it is merged. Another one was a former owner: it stays, without the number, which is announced.
 * @param at when the number changed, by WhatsApp's clock.
 * @returns endpoints to notify after the commit.
 */
export async function takeNumberIn(
  tx: TransactionSql,
  organizationId: string,
  { contactId, names, at }: Pick<Target, "contactId" | "names"> & { readonly at: Date | null },
): Promise<readonly string[]> {
  const number = names.find(({ kind }) => kind === "whatsapp");
  if (number === undefined) return [];
  const time = tx`coalesce(${at}::timestamptz, now())`;
  const holders = await tx<{ contactId: string; isSamePerson: boolean }[]>`
    select i.contact_id as "contactId", bool_and(
      not exists (select from contact_identities o where o.organization_id = i.organization_id
        and o.contact_id = i.contact_id and o.canonical <> i.canonical)
      and not ${wroteBefore(tx, time)}) as "isSamePerson"
    from contact_identities i
    where i.organization_id = ${organizationId} and i.kind = 'whatsapp' and i.canonical = ${number.canonical}
      and i.contact_id <> ${contactId}
    group by i.contact_id having bool_and(${isBefore(tx, lastUse(tx), time)})`;
  const endpointIds: string[] = [];
  for (const { contactId: holder, isSamePerson } of holders) {
    const taken = isSamePerson
      ? await absorb(tx, organizationId, holder, contactId)
      : await moveNumber(tx, organizationId, {
          from: holder,
          into: contactId,
          canonical: number.canonical,
          at,
        });
    endpointIds.push(...taken);
  }
  return endpointIds;
}

/** SQL: whether the contact of the identity `i` wrote before a time. Two indexes hold the messages of a conversation. */
const wroteBefore = (sql: Executor, time: SqlFragment): SqlFragment => {
  const written = (isErased: SqlFragment) => sql`exists (
    select from conversations v join messages m
      on m.conversation_id = v.id and m.organization_id = v.organization_id and ${isErased}
    where v.contact_id = i.contact_id and v.organization_id = i.organization_id
      and m.kind = 'inbound' and m.type <> 'system' and m.upstream_at < date_trunc('second', ${time}))`;
  return sql`(${written(sql`m.erased_at is null`)} or ${written(sql`m.erased_at is not null`)})`;
};

async function moveNumber(
  tx: TransactionSql,
  organizationId: string,
  { from, into, canonical, at }: { from: string; into: string; canonical: string; at: Date | null },
): Promise<readonly string[]> {
  const previous = await readCurrentNames(tx, organizationId, from);
  await tx`
    update contact_identities set contact_id = ${into}, current_since = null
    where organization_id = ${organizationId} and contact_id = ${from} and kind = 'whatsapp'
      and canonical = ${canonical}`;
  const now = await readCurrentNames(tx, organizationId, from);
  if (now.number === previous.number) return [];
  return announceChanged(tx, organizationId, { contactId: from, previous, now, at });
}

/** @param currentSince when WhatsApp used the name, if the contact is new; else `markCurrentNames` decides. */
export async function insertIdentity(
  tx: TransactionSql,
  organizationId: string,
  contactId: string,
  { kind, handle, canonical }: Identity,
  currentSince: Date | null = null,
): Promise<void> {
  await tx`
    insert into contact_identities (id, organization_id, contact_id, kind, handle, canonical, current_since)
    values (${newId()}, ${organizationId}, ${contactId}, ${kind}, ${handle}, ${canonical},
      case when ${currentSince}::timestamptz is not null then least(${currentSince}::timestamptz, now()) end)`;
}

/**
 * Merges a contact into another one: moves its names, its conversations on channels where the other has none, and the
 * marketing opt-out, whose source is then WhatsApp: it proved that both are one person. The emptied contact stays,
 * because its id was given out. Contacts that were merged into it earlier then point to the other one.
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
