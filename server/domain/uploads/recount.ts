import type { Services } from "@/server/core/context";
import { miscountedOrganizations } from "./claim";

/**
 * Sets the bytes that count against an organization's quota to those of its uploads, where they differ: a process of an
 * earlier version doesn't count. Exact also while files are uploaded and erased.
 */
export async function recountUploads(services: Services): Promise<void> {
  for (const organizationId of await miscountedOrganizations(services.sql)) {
    const recounted = await recount(services, organizationId);
    if (recounted) services.log.warn({ organizationId, ...recounted }, "uploaded bytes were counted anew");
  }
}

function recount({ sql }: Services, organizationId: string): Promise<{ from: number; to: number } | null> {
  return sql.begin(async (tx) => {
    // Uploads and erasures under way are counted in the row before it is locked, or add to it afterwards.
    const [counted] = await tx<{ bytes: number }[]>`
      select uploaded_bytes::float8 as bytes from organizations where id = ${organizationId} for no key update`;
    // In a statement of its own: only one that begins under the lock sees what was committed before it.
    const [row] = await tx<{ bytes: number }[]>`
      update organizations o set uploaded_bytes = u.bytes
      from (select coalesce(sum(size), 0)::bigint as bytes from uploads
        where organization_id = ${organizationId} and erased_at is null) u
      where o.id = ${organizationId} and o.uploaded_bytes <> u.bytes
      returning o.uploaded_bytes::float8 as bytes`;
    return counted && row ? { from: counted.bytes, to: row.bytes } : null;
  });
}
