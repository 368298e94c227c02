import type { Services } from "@/server/core/context";

/**
 * Erases uploads for good: their bytes, their names, and the upstream's ids. The rows stay, so that sent messages keep
 * their references. The bytes no longer count against the organization's quota. Idempotent. A crash in between, and a
 * failure of the store, which is logged, leave only bytes that the sweep removes.
 */
export async function eraseUploads(
  { sql, uploads, log }: Services,
  organizationId: string,
  uploadIds: readonly string[],
): Promise<void> {
  if (uploadIds.length === 0) return;
  const ids = [...uploadIds];
  const own = await sql<{ id: string }[]>`
    with erased as (
      update uploads set erased_at = now(), filename = null
      where organization_id = ${organizationId} and id = any(${ids}::uuid[]) and erased_at is null
      returning size
    ), given_back as (
      update organizations set uploaded_bytes = greatest(0, uploaded_bytes - e.bytes)
      from (select sum(size)::bigint as bytes from erased) e
      where id = ${organizationId} and e.bytes > 0
    ), forgotten as (
      delete from upload_media where organization_id = ${organizationId} and upload_id = any(${ids}::uuid[])
    )
    select id from uploads where organization_id = ${organizationId} and id = any(${ids}::uuid[])`;
  try {
    for (const { id } of own) await uploads.remove(id);
  } catch (error) {
    log.error({ err: error, organizationId }, "uploads couldn't be removed yet");
  }
}
