import type { Executor } from "@/db/client";

/**
 * SQL fragment: the id of the contact that a contact was merged into, or its own id. One step is enough: a merge also
 * moves the contacts that were merged before (attach.ts).
 */
export const canonicalContact = (sql: Executor, organizationId: string, contactId: string) => sql`
  (select coalesce(k.merged_into, k.id) from contacts k
    where k.organization_id = ${organizationId} and k.id = ${contactId})`;
