import { canonicalHandle } from "@/server/adapters/whatsapp/handles";
import { CONTACTS_MAX, findIdentitiesNamed } from "@/server/domain/contacts/find-named";
import { numbersSpelled } from "@/server/domain/contacts/number-search";
import type { Context } from "@/server/core/context";
import { isUuid } from "@/server/lib/uuid";
import { recipientHashes } from "@/server/domain/contacts/recipient-hash";
import { contactsOfPersons } from "@/server/domain/contacts/merged-contacts";

/** Finds refused requests by their intended recipient. */
export interface Recipient {
  /** In hex. */
  readonly hashes: readonly string[];
  readonly conversationIds: readonly string[];
}

/**
 * Resolves a text to recipients: a number in any spelling, even without a contact; the last digits of a contact's
 * number; or an id from WhatsApp, of a contact or of a conversation. For merged contacts, all numbers and conversations
 * count.
 */
export async function findRecipient(ctx: Context, typed: string): Promise<Recipient> {
  const { services, actor } = ctx;
  const text = typed.trim();
  const identities = await findIdentitiesNamed(ctx, text);
  const contactIds = [...new Set(identities.map(({ contactId }) => contactId))].slice(0, CONTACTS_MAX);
  const known = await knownOf(ctx, contactIds, isUuid(text) ? text : null);
  const numbers = [...numbersSpelled(text), ...(known?.numbers ?? [])];
  const hashes = await recipientHashes(services, actor.organizationId, [
    ...new Set(numbers.map(canonicalHandle)),
  ]);
  return { hashes, conversationIds: known?.conversationIds ?? [] };
}

async function knownOf(
  { services: { sql }, actor }: Context,
  contactIds: readonly string[],
  id: string | null,
) {
  const { organizationId } = actor;
  const named = sql`array(
    select unnest(${[...contactIds]}::uuid[]) union all select ${id}::uuid union all
    select v.contact_id from conversations v where v.id = ${id}::uuid and v.organization_id = ${organizationId})`;
  const [known] = await sql<{ numbers: string[]; conversationIds: string[] }[]>`
    with family as materialized (
      select unnest(${contactsOfPersons(sql, organizationId, named)}) as id)
    select
      array(select i.canonical from family f join contact_identities i on i.contact_id = f.id
        where i.organization_id = ${organizationId} and i.kind = 'whatsapp') as numbers,
      array(select v.id from family f join conversations v on v.contact_id = f.id
        where v.organization_id = ${organizationId}) as "conversationIds"`;
  return known;
}
