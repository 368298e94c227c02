import type { Services } from "@/server/core/context";
import type { Sql } from "@/db/client";
import { UPLOAD_KEPT_DAYS } from "./create";
import { eraseUploads } from "./erase";

const BATCH_MAX = 500;
const DAY_MS = 24 * 60 * 60_000;
/** Nobody needs a file this old, whatever the database says. Two days are a margin for clock differences. */
const FILE_KEPT_MS = (UPLOAD_KEPT_DAYS + 3) * DAY_MS;

/** Messages accepted in an upload's last hour may wait for half a day. */
const KEPT_AFTER_EXPIRY_HOURS = 24;

/**
 * Erases expired uploads, and removes files that nothing needs: remains of crashed uploads, files erased via another
 * machine, files without a row. A file is never removed only because this database doesn't know it: it may belong to
 * another one. Corrects wrong byte counters. Never throws.
 */
export async function sweepUploads(services: Services): Promise<void> {
  try {
    await eraseExpired(services);
    await services.uploads.removeAbandoned();
    await removeUnneeded(services);
    await recountUploads(services);
  } catch (error) {
    services.log.error({ err: error }, "the sweep of uploads failed");
  }
}

async function eraseExpired(services: Services): Promise<void> {
  for (;;) {
    const expired = await expiredUploads(services.sql, BATCH_MAX);
    for (const { organizationId, id } of expired) await eraseUploads(services, organizationId, [id]);
    if (expired.length < BATCH_MAX) return;
  }
}

async function removeUnneeded(services: Services): Promise<void> {
  let batch: string[] = [];
  const removeOf = async (ids: readonly string[]) => {
    const old = ids.filter((id) => Date.now() - madeAtMs(id) > FILE_KEPT_MS);
    for (const id of [...old, ...(await erasedOf(services.sql, ids))]) await services.uploads.remove(id);
  };
  for await (const id of services.uploads.ids()) {
    batch.push(id);
    if (batch.length < BATCH_MAX) continue;
    await removeOf(batch);
    batch = [];
  }
  await removeOf(batch);
}

/** A UUIDv7 starts with its creation time in Unix milliseconds. */
function madeAtMs(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}

/**
 * Corrects an organization's byte counters if they differ from its files: a process of an earlier version doesn't
 * count. Exact even while files are stored and erased.
 */
async function recountUploads(services: Services): Promise<void> {
  for (const organizationId of await miscountedOrganizations(services.sql)) {
    const recounted = await recount(services, organizationId);
    if (recounted) services.log.warn({ organizationId, ...recounted }, "recounted uploaded bytes");
  }
}

function recount({ sql }: Services, organizationId: string): Promise<{ from: number; to: number } | null> {
  return sql.begin(async (tx) => {
    // Running uploads and erasures are counted in the row before it is locked, or add to it afterwards.
    const [counted] = await tx<{ bytes: number }[]>`
      select uploaded_bytes::float8 as bytes from organizations where id = ${organizationId} for no key update`;
    // A separate statement: only one that starts under the lock sees everything committed before it.
    const [row] = await tx<{ bytes: number }[]>`
      update organizations o set uploaded_bytes = u.bytes + c.bytes, customer_file_bytes = c.bytes
      from (select coalesce(sum(size), 0)::bigint as bytes from uploads
          where organization_id = ${organizationId} and erased_at is null) u,
        (select coalesce(sum(size), 0)::bigint as bytes from customer_files
          where organization_id = ${organizationId} and state = 'stored') c
      where o.id = ${organizationId}
        and (o.uploaded_bytes, o.customer_file_bytes) <> (u.bytes + c.bytes, c.bytes)
      returning o.uploaded_bytes::float8 as bytes`;
    return counted && row ? { from: counted.bytes, to: row.bytes } : null;
  });
}

/** Returns uploads, of any organization, that no message can need any more. */
function expiredUploads(sql: Sql, rowsMax: number): Promise<{ id: string; organizationId: string }[]> {
  return sql<{ id: string; organizationId: string }[]>`
    select id, organization_id as "organizationId" from uploads
    where erased_at is null and expires_at < now() - make_interval(hours => ${KEPT_AFTER_EXPIRY_HOURS})
    order by expires_at limit ${rowsMax}`;
}

/** Returns which of these uploads, of any organization, are erased. */
async function erasedOf(sql: Sql, uploadIds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from uploads where id = any(${[...uploadIds]}::uuid[]) and erased_at is not null`;
  return rows.map(({ id }) => id);
}

/**
 * Returns organizations whose byte counters seem to differ from their files. It may be wrong, because uploads
 * continue during the check.
 */
async function miscountedOrganizations(sql: Sql): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select o.id from organizations o
    left join (select organization_id, sum(size) as bytes from uploads where erased_at is null
      group by organization_id) u on u.organization_id = o.id
    left join (select organization_id, sum(size) as bytes from customer_files where state = 'stored'
      group by organization_id) c on c.organization_id = o.id
    where (o.uploaded_bytes, o.customer_file_bytes)
      <> (coalesce(u.bytes, 0) + coalesce(c.bytes, 0), coalesce(c.bytes, 0))`;
  return rows.map(({ id }) => id);
}
