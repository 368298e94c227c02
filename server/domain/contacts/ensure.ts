import type { TransactionSql } from "@/db/client";
import { newId } from "@/db/schema";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { type Attached, attachNamesIn, insertIdentity } from "./attach";
import { contactsOf, findIdentities, findNames } from "./find";
import { lockNames } from "./lock";
import { identitiesOf, identityNamed, type Person } from "@/server/adapters/whatsapp/person";

interface EnsureContactInput {
  /** E.164 without the plus sign, or WhatsApp's id of a person. */
  readonly handle: string;
  readonly name?: string | null;
}

/** Finds the contact of a number or of WhatsApp's id of a person, or creates it. */
export async function ensureContact(args: {
  ctx: Context;
  input: EnsureContactInput;
}): Promise<{ contactId: string }> {
  const { ctx, input } = args;
  return ctx.services.sql.begin((tx) => ensureContactIn(tx, ctx.actor.organizationId, input));
}

/**
 * The same inside a transaction. Locks the number until its end, so that two written forms of one new number become one
 * contact, even across processes: otherwise they would cause `identity_conflict` for ever.
 * @throws WaypostError `identity_conflict` if the forms already belong to two contacts.
 */
export async function ensureContactIn(
  tx: TransactionSql,
  organizationId: string,
  input: EnsureContactInput,
): Promise<{ contactId: string }> {
  const { handle, name } = input;
  const identity = identityNamed(handle);
  await lockNames(tx, organizationId, [identity]);
  const identities = await findIdentities(tx, organizationId, handle);
  if (contactsOf(identities).length > 1) throw new WaypostError("identity_conflict");
  const contactId = identities[0]?.contactId ?? (await insertContact(tx, organizationId, name));
  if (!identities.some((found) => found.handle === handle)) {
    await insertIdentity(tx, organizationId, contactId, identity);
  }
  return { contactId };
}

/** A person as a callback names them. */
interface PersonSeen {
  readonly person: Person;
  /** The profile name, for a new contact. */
  readonly name: string | null;
  /** By WhatsApp's clock. */
  readonly at: Date;
  /** The person's new names, if WhatsApp reports a change: they lead to the contact if the old ones don't. */
  readonly becomes?: Person | null;
}

/**
 * Finds the contact of a person who writes, or creates it, and stores every name that came with it. A customer's
 * message can't be refused, so if the names belong to several contacts, the number's contact wins: the one with this
 * exact form, else the oldest; then the one with the person's id. Locks each name until the transaction ends.
 * @returns also what became of the names: some stay with another contact that has a number of its own.
 */
export async function ensurePersonIn(
  tx: TransactionSql,
  organizationId: string,
  { person, name, at, becomes = null }: PersonSeen,
): Promise<{ contactId: string } & Attached> {
  const names = identitiesOf(person);
  const newNames = becomes === null ? [] : identitiesOf(becomes);
  await lockNames(tx, organizationId, [...names, ...newNames]);
  const found = await findNames(tx, organizationId, names);
  const of = (kind: string) => found.filter((identity) => identity.kind === kind);
  const exact = of("whatsapp").find((identity) => identity.handle === person.number);
  const known =
    exact ??
    of("whatsapp")[0] ??
    of("bsuid")[0] ??
    of("parent_bsuid")[0] ??
    (await findNames(tx, organizationId, newNames))[0];
  if (known !== undefined) {
    const { contactId } = known;
    return { contactId, ...(await attachNamesIn(tx, organizationId, { contactId, names, found })) };
  }
  const contactId = await insertContact(tx, organizationId, name);
  for (const identity of names) await insertIdentity(tx, organizationId, contactId, identity, at);
  return { contactId, conflicts: [], previous: null, endpointIds: [] };
}

/** Finds the contact's conversation on the channel, or creates it. The caller holds the number's lock. */
export async function ensureConversationIn(
  tx: TransactionSql,
  organizationId: string,
  contactId: string,
  channelId: string,
): Promise<{ conversationId: string }> {
  await tx`
    insert into conversations (id, organization_id, contact_id, channel_id)
    values (${newId()}, ${organizationId}, ${contactId}, ${channelId})
    on conflict (contact_id, channel_id) do nothing`;
  const [row] = await tx<{ id: string }[]>`
    select id from conversations
    where organization_id = ${organizationId} and contact_id = ${contactId} and channel_id = ${channelId}`;
  if (!row) throw new Error("The conversation vanished between insert and read");
  return { conversationId: row.id };
}

async function insertContact(
  tx: TransactionSql,
  organizationId: string,
  name?: string | null,
): Promise<string> {
  const contactId = newId();
  await tx`insert into contacts (id, organization_id, name) values (${contactId}, ${organizationId}, ${name ?? null})`;
  return contactId;
}
