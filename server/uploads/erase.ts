import type { Services } from "../context";

/**
 * Erases uploads for good: their bytes, their names, and what the upstream calls them. The rows stay, so that messages
 * that were sent with them keep what they refer to. Can be repeated; a crash in between leaves only bytes that the sweep
 * removes.
 */
export async function eraseUploads(
  { sql, uploads }: Services,
  organizationId: string,
  uploadIds: readonly string[],
): Promise<void> {
  if (uploadIds.length === 0) return;
  const erased = await sql<{ id: string }[]>`
    with erased as (
      update uploads set erased_at = coalesce(erased_at, now()), filename = null
      where organization_id = ${organizationId} and id = any(${[...uploadIds]}::uuid[])
      returning id
    ), forgotten as (
      delete from upload_media
      where organization_id = ${organizationId} and upload_id in (select id from erased)
    )
    select id from erased`;
  for (const { id } of erased) await uploads.remove(id);
}
