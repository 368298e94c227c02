import type { Executor } from "@/db/client";
import type { IdentityKind } from "@/db/schema";
import { type Identity, identityNamed } from "@/server/adapters/whatsapp/person";
import { currentFirst } from "./current-names";

export interface FoundIdentity {
  readonly contactId: string;
  readonly handle: string;
}

/**
 * Finds identities under any written form of a number, or under WhatsApp's id of a person, oldest first. More than one
 * contact among them is a conflict.
 */
export async function findIdentities(
  sql: Executor,
  organizationId: string,
  handle: string,
): Promise<readonly FoundIdentity[]> {
  const { kind, canonical } = identityNamed(handle);
  return sql<FoundIdentity[]>`
    select contact_id as "contactId", handle from contact_identities
    where organization_id = ${organizationId} and kind = ${kind} and canonical = ${canonical}
    order by created_at, id`;
}

/** Returns the contacts of identities, without duplicates. */
export function contactsOf(identities: readonly FoundIdentity[]): readonly string[] {
  return [...new Set(identities.map((identity) => identity.contactId))];
}

export interface FoundName extends FoundIdentity {
  readonly kind: IdentityKind;
  /** True if its contact has a number, as this name or as another one. */
  readonly hasNumber: boolean;
  /** True if its contact is reached by this name, and not by another one of the kind. */
  readonly isCurrent: boolean;
}

/** Finds stored identities that match any of the names, oldest first. */
export async function findNames(
  sql: Executor,
  organizationId: string,
  names: readonly Identity[],
): Promise<readonly FoundName[]> {
  return sql<FoundName[]>`
    select f.contact_id as "contactId", f.handle, f.kind,
      exists (select from contact_identities o where o.organization_id = f.organization_id
        and o.contact_id = f.contact_id and o.kind = 'whatsapp') as "hasNumber",
      f.canonical = (select i.canonical from contact_identities i
        where i.organization_id = f.organization_id and i.contact_id = f.contact_id and i.kind = f.kind
        order by ${currentFirst(sql)} limit 1) as "isCurrent"
    from unnest(${names.map((name) => name.kind)}::text[], ${names.map((name) => name.canonical)}::text[])
      as n (kind, canonical)
    join contact_identities f on f.organization_id = ${organizationId}
      and f.kind = n.kind and f.canonical = n.canonical
    order by f.created_at, f.id`;
}
