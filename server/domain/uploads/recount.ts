import type { Services } from "@/server/core/context";
import { miscountedOrganizations } from "./claim";

/**
 * Corrects an organization's byte counter if it differs from its uploads: a process of an earlier version doesn't
 * count. Exact even during uploads and erasures.
 */
export async function recountUploads(services: Services): Promise<void> {
  for (const organizationId of await miscountedOrganizations(services.sql)) {
    const recounted = await recount(services, organizationId);
    if (recounted) services.log.warn({ organizationId, ...recounted }, "uploaded bytes were counted anew");
  }
}

function recount({ sql }: Services, organizationId: string): Promise<{ from: number; to: number } | null> {
  return sql.begin(async (tx) => {
    // Running uploads and erasures are counted in the row before it is locked, or add to it afterwards.
    const [counted] = await tx<{ bytes: number }[]>`
      select uploaded_bytes::float8 as bytes from organizations where id = ${organizationId} for no key update`;
    // A separate statement: only one that starts under the lock sees everything committed before it.
    const [row] = await tx<{ bytes: number }[]>`
      update organizations o set uploaded_bytes = u.bytes
      from (select coalesce(sum(size), 0)::bigint as bytes from uploads
        where organization_id = ${organizationId} and erased_at is null) u
      where o.id = ${organizationId} and o.uploaded_bytes <> u.bytes
      returning o.uploaded_bytes::float8 as bytes`;
    return counted && row ? { from: counted.bytes, to: row.bytes } : null;
  });
}
