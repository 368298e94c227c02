import type { Sql } from "@/db/client";
import type { Context, Services } from "@/server/core/context";
import { withoutEntriesOf } from "@/server/adapters/whatsapp/remove-person";

interface RawCallback {
  readonly id: string;
  readonly body: Buffer;
}

interface StoredCallback extends RawCallback {
  readonly isWaiting: boolean;
}

const BATCH_MAX = 500;
/** Maximum size of the bodies in memory, in bytes. */
const BATCH_BYTES_MAX = 8 * 1024 * 1024;
/** Ids contain the clock of the process that created them, and clocks differ. */
const CLOCKS_DIFFER_MS = 60 * 60_000;

/**
 * Cuts entries with one of the names out of the organization's stored callbacks. Reads all of them, or those since a
 * given time, a few at a time. In callbacks that still wait to be processed, statuses stay: they are cut when they are
 * applied.
 * @returns how many were changed.
 */
export async function forgetInCallbacks(args: {
  ctx: Context;
  input: { names: ReadonlySet<string>; since?: Date };
}): Promise<number> {
  const { ctx, input } = args;
  if (input.names.size === 0) return 0;
  const { sql } = ctx.services;
  const { organizationId } = ctx.actor;
  let changed = 0;
  let after = input.since === undefined ? idAt(0) : idAt(input.since.getTime() - CLOCKS_DIFFER_MS);
  for (;;) {
    const batch = await readBatch(sql, organizationId, after);
    for (const callback of batch) {
      const isChanged = await removeFromCallback(sql, organizationId, callback, (body) =>
        withoutEntriesOf(body, input.names, { keepsStatuses: callback.isWaiting }),
      );
      if (isChanged) changed += 1;
    }
    const last = batch.at(-1);
    if (!last) return changed;
    after = last.id;
  }
}

/** Removes entries with one of the names from these callbacks of the organization. */
export async function removeFromCallbacks(
  { sql }: Services,
  organizationId: string,
  callbacks: readonly RawCallback[],
  names: ReadonlySet<string>,
): Promise<void> {
  for (const callback of callbacks) {
    await removeFromCallback(sql, organizationId, callback, (body) => withoutEntriesOf(body, names));
  }
}

/**
 * If another process changes the same callback concurrently, the removal is repeated, so that neither restores what the
 * other removed.
 */
async function removeFromCallback(
  sql: Sql,
  organizationId: string,
  { id, body }: RawCallback,
  cut: (body: Buffer) => Buffer | null,
): Promise<boolean> {
  for (let present: Buffer | undefined = body; present !== undefined;) {
    const rest = cut(present);
    if (rest === null) return false;
    const { count } = await sql`
      update upstream_callbacks set body = ${rest}
      where organization_id = ${organizationId} and id = ${id} and body = ${present}`;
    if (count > 0) return true;
    const [row] = await sql<{ body: Buffer }[]>`
      select body from upstream_callbacks where organization_id = ${organizationId} and id = ${id}`;
    present = row?.body;
  }
  return false;
}

/** The lowest UUIDv7 of a time in Unix milliseconds. */
function idAt(timeMs: number): string {
  const hex = timeMs.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** Reads in the order of the ids, which is the order of arrival. Reads at least one, however large. */
function readBatch(sql: Sql, organizationId: string, after: string): Promise<StoredCallback[]> {
  return sql<StoredCallback[]>`
    with sized as (
      select id, octet_length(body) as bytes from upstream_callbacks
      where id > ${after} and organization_id = ${organizationId}
      order by id limit ${BATCH_MAX}
    ), batch as (
      select id from (select id, sum(bytes) over (order by id) - bytes as before from sized) s
      where before < ${BATCH_BYTES_MAX}
    )
    select c.id, c.body, c.processed_at is null as "isWaiting"
    from batch join upstream_callbacks c using (id) order by c.id`;
}
