import type { TransactionSql } from "@/db/client";
import { newId } from "@/db/schema";
import type { Context } from "../context";
import { WaypostError } from "../errors";
import { canonicalHandle } from "./canonical";
import { contactsOf, findIdentities } from "./find";

interface EnsureContactInput {
  /** E.164 without the plus sign. */
  readonly handle: string;
  readonly name?: string | null;
}

/** Finds the contact of a number, or makes it. */
export async function ensureContact(args: {
  ctx: Context;
  input: EnsureContactInput;
}): Promise<{ contactId: string }> {
  const { ctx, input } = args;
  return ctx.services.sql.begin((tx) => ensureContactIn(tx, ctx.actor.organizationId, input, "refuse"));
}

/**
 * The same inside a transaction. Holds a lock on the number until its end, so that two written forms of one new
 * number, in any number of processes, become one contact: without it they would answer `identity_conflict` for ever.
 * @param onConflict where the forms belong to two contacts already: `refuse`, or take the one that has this very form
 * (else the oldest), because a customer who writes can't be refused.
 * @throws WaypostError `identity_conflict`.
 */
export async function ensureContactIn(
  tx: TransactionSql,
  organizationId: string,
  input: EnsureContactInput,
  onConflict: "refuse" | "take",
): Promise<{ contactId: string }> {
  await lockNumber(tx, organizationId, input.handle);
  const identities = await findIdentities(tx, organizationId, input.handle);
  if (contactsOf(identities).length > 1 && onConflict === "refuse")
    throw new WaypostError("identity_conflict");
  const exact = identities.find((identity) => identity.handle === input.handle);
  const contactId =
    exact?.contactId ?? identities[0]?.contactId ?? (await insertContact(tx, organizationId, input.name));
  if (!exact) await insertIdentity(tx, organizationId, contactId, input.handle);
  return { contactId };
}

/** Finds the contact's conversation on the channel, or opens it. The caller holds the number's lock. */
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

async function lockNumber(tx: TransactionSql, organizationId: string, handle: string): Promise<void> {
  const name = `contact:${organizationId}:${canonicalHandle(handle)}`;
  await tx`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
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

async function insertIdentity(
  tx: TransactionSql,
  organizationId: string,
  contactId: string,
  handle: string,
): Promise<void> {
  await tx`
    insert into contact_identities (id, organization_id, contact_id, kind, handle, canonical)
    values (${newId()}, ${organizationId}, ${contactId}, 'whatsapp', ${handle}, ${canonicalHandle(handle)})`;
}
