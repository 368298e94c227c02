import type { Executor } from "@/db/client";

/**
 * As a part of a statement: the id of the contact that has what a contact was known by, which is itself unless it was
 * merged. One step is enough: whoever is merged takes along those merged before (attach.ts).
 */
export const livingContact = (sql: Executor, organizationId: string, contactId: string) => sql`
  (select coalesce(k.merged_into, k.id) from contacts k
    where k.organization_id = ${organizationId} and k.id = ${contactId})`;
