import type { Sql } from "@/db/client";

/** Messages accepted in an upload's last hour may wait for half a day. */
const KEPT_AFTER_EXPIRY_HOURS = 24;

/** Uploads, of any organization, that no message can need any more. */
export function expiredUploads(sql: Sql, rowsMax: number): Promise<{ id: string; organizationId: string }[]> {
  return sql<{ id: string; organizationId: string }[]>`
    select id, organization_id as "organizationId" from uploads
    where erased_at is null and expires_at < now() - make_interval(hours => ${KEPT_AFTER_EXPIRY_HOURS})
    order by expires_at limit ${rowsMax}`;
}

/** Which of these uploads, of any organization, are erased. */
export async function erasedOf(sql: Sql, uploadIds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from uploads where id = any(${[...uploadIds]}::uuid[]) and erased_at is not null`;
  return rows.map(({ id }) => id);
}
