import type { Sql } from "@/db/client";
import type { Context, Services } from "../../context";
import { withoutEntriesOf } from "./cut-out";

interface RawCallback {
  readonly id: string;
  readonly body: Buffer;
}

const BATCH_MAX = 500;
/** Bodies that are held in memory at once, in bytes. */
const BATCH_BYTES_MAX = 8 * 1024 * 1024;
/** Below every id. */
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/**
 * Cuts out of the organization's stored callbacks what bears one of the names. Reads them all, once.
 * @returns how many were changed.
 */
export async function forgetInCallbacks(args: {
  ctx: Context;
  input: { names: ReadonlySet<string> };
}): Promise<number> {
  const { ctx, input } = args;
  if (input.names.size === 0) return 0;
  const { sql } = ctx.services;
  const { organizationId } = ctx.actor;
  let changed = 0;
  let after = FIRST_ID;
  for (;;) {
    const batch = await readBatch(sql, organizationId, after);
    changed += await cutOut(ctx.services, organizationId, batch, input.names);
    const last = batch.at(-1);
    if (!last) return changed;
    after = last.id;
  }
}

/** Cuts what bears one of the names out of these callbacks of the organization. */
export async function cutOut(
  { sql }: Services,
  organizationId: string,
  callbacks: readonly RawCallback[],
  names: ReadonlySet<string>,
): Promise<number> {
  let changed = 0;
  for (const { id, body } of callbacks) {
    const rest = withoutEntriesOf(body, names);
    if (rest === null) continue;
    await sql`
      update upstream_callbacks set body = ${rest} where organization_id = ${organizationId} and id = ${id}`;
    changed += 1;
  }
  return changed;
}

/** In the order of their ids, which is that of their coming; at least one, however large. */
function readBatch(sql: Sql, organizationId: string, after: string): Promise<RawCallback[]> {
  return sql<RawCallback[]>`
    with sized as (
      select id, octet_length(body) as bytes from upstream_callbacks
      where id > ${after} and organization_id = ${organizationId}
      order by id limit ${BATCH_MAX}
    ), batch as (
      select id from (select id, sum(bytes) over (order by id) - bytes as before from sized) s
      where before < ${BATCH_BYTES_MAX}
    )
    select c.id, c.body from batch join upstream_callbacks c using (id) order by c.id`;
}
