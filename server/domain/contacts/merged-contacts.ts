import type { Executor, SqlFragment } from "@/db/client";

/**
 * SQL fragment: the id of the contact that a contact was merged into, or its own id. One step is enough: a merge also
 * moves the contacts that were merged before (attach.ts).
 */
export const canonicalContact = (sql: Executor, organizationId: string, contactId: string) => sql`
  (select coalesce(k.merged_into, k.id) from contacts k
    where k.organization_id = ${organizationId} and k.id = ${contactId})`;

/** SQL: an array of these ids of canonical contacts, and of the ids of all contacts that were merged into them. */
export const withMerged = (
  sql: Executor,
  organizationId: string,
  canonicalIds: SqlFragment,
): SqlFragment => sql`
  array(
    with canonical as materialized (select distinct unnest(${canonicalIds}) as id)
    select id from canonical
    union all
    select m.id from canonical c join contacts m on m.merged_into = c.id and m.organization_id = ${organizationId})`;

/** SQL: an array of the ids of all contacts of the persons that these contacts are. */
export const contactsOfPersons = (
  sql: Executor,
  organizationId: string,
  contactIds: SqlFragment,
): SqlFragment =>
  withMerged(
    sql,
    organizationId,
    sql`array(
      select coalesce(k.merged_into, k.id) from contacts k
      where k.organization_id = ${organizationId} and k.id = any(${contactIds}))`,
  );

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
