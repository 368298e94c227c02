import { z } from "zod";
import type { Executor } from "@/db/client";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { isUuid } from "@/server/lib/uuid";
import { WaypostError } from "@/server/platform/errors";
import { type Contact, readContacts, visibleContact } from "./contact";

export const contactIdParameter = z.string().meta({ description: "Id of the contact" });

export const getContactInput = z.strictObject({ contact_id: contactIdParameter });

/**
 * Returns one contact. The id of a contact that was merged leads to the one that remains.
 * @throws WaypostError `contact_not_found`, the same for an unknown or malformed id, another organization's contact, an
 * erased one, and one without a conversation on the channels that the key may use.
 */
export async function getContact(args: {
  ctx: Context;
  input: z.output<typeof getContactInput>;
}): Promise<Contact> {
  const { ctx, input } = args;
  requireCapability(ctx.actor, "contacts.read");
  const { sql } = ctx.services;
  const id = await requireContact(ctx, sql, input.contact_id);
  const [contact] = await readContacts(ctx, sql, [id]);
  if (!contact) throw new WaypostError("contact_not_found", { field: "contact_id" });
  return contact;
}

/** Returns the id of the contact that an id leads to. @throws WaypostError `contact_not_found`. */
export async function requireContact(ctx: Context, sql: Executor, contactId: string): Promise<string> {
  const { organizationId } = ctx.actor;
  const [row] = isUuid(contactId)
    ? await sql<{ id: string }[]>`
        select k.id from contacts a
        join contacts k on k.id = coalesce(a.merged_into, a.id) and k.organization_id = a.organization_id
        where a.id = ${contactId} and a.organization_id = ${organizationId} and k.erased_at is null
          and ${visibleContact(ctx, sql)}`
    : [];
  if (!row) throw new WaypostError("contact_not_found", { field: "contact_id" });
  return row.id;
}
