import type { Sql } from "@/db/client";

/** Messages accepted in an upload's last hour may wait for half a day. */
const KEPT_AFTER_EXPIRY_HOURS = 24;

/** Returns uploads, of any organization, that no message can need any more. */
export function expiredUploads(sql: Sql, rowsMax: number): Promise<{ id: string; organizationId: string }[]> {
  return sql<{ id: string; organizationId: string }[]>`
    select id, organization_id as "organizationId" from uploads
    where erased_at is null and expires_at < now() - make_interval(hours => ${KEPT_AFTER_EXPIRY_HOURS})
    order by expires_at limit ${rowsMax}`;
}

/** Returns which of these uploads, of any organization, are erased. */
export async function erasedOf(sql: Sql, uploadIds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from uploads where id = any(${[...uploadIds]}::uuid[]) and erased_at is not null`;
  return rows.map(({ id }) => id);
}

/**
 * Returns organizations whose byte counter seems to differ from their uploads. It may be wrong, because uploads
 * continue during the check.
 */
export async function miscountedOrganizations(sql: Sql): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select o.id from organizations o left join (
      select organization_id, sum(size) as bytes from uploads where erased_at is null group by organization_id) u
      on u.organization_id = o.id
    where o.uploaded_bytes <> coalesce(u.bytes, 0)`;
  return rows.map(({ id }) => id);
}
