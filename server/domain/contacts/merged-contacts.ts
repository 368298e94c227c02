import type { Executor } from "@/db/client";

/**
 * SQL fragment: the id of the contact that a contact was merged into, or its own id. One step is enough: a merge also
 * moves the contacts that were merged before (attach.ts).
 */
export const canonicalContact = (sql: Executor, organizationId: string, contactId: string) => sql`
  (select coalesce(k.merged_into, k.id) from contacts k
    where k.organization_id = ${organizationId} and k.id = ${contactId})`;

/** Returns the contact's id and those of all contacts merged with it, in either direction; sorted. */
export async function mergedContactIds(
  sql: Executor,
  organizationId: string,
  contactId: string,
): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`
    with recursive kin as (
      select id, merged_into from contacts where organization_id = ${organizationId} and id = ${contactId}
      union
      select n.id, n.merged_into from kin k, lateral (
        select id, merged_into from contacts where organization_id = ${organizationId} and id = k.merged_into
        union all
        select id, merged_into from contacts where organization_id = ${organizationId} and merged_into = k.id) n
    )
    select id from kin order by id`;
  return rows.map(({ id }) => id);
}
