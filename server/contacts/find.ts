import type { Executor } from "@/db/client";
import { canonicalHandle } from "./canonical";

export interface FoundIdentity {
  readonly contactId: string;
  readonly handle: string;
}

/** Identities under any written form of the number, oldest first. More than one contact among them is a conflict. */
export async function findIdentities(
  sql: Executor,
  organizationId: string,
  handle: string,
): Promise<readonly FoundIdentity[]> {
  return sql<FoundIdentity[]>`
    select contact_id as "contactId", handle from contact_identities
    where organization_id = ${organizationId} and kind = 'whatsapp' and canonical = ${canonicalHandle(handle)}
    order by created_at, id`;
}

/** The contacts that identities belong to, without repeats. */
export function contactsOf(identities: readonly FoundIdentity[]): readonly string[] {
  return [...new Set(identities.map((identity) => identity.contactId))];
}
