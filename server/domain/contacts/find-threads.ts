import type { SqlFragment } from "@/db/client";
import { allowedChannels } from "@/server/core/channel-access";
import type { Context } from "@/server/core/context";
import { canonicalHandle } from "@/server/adapters/whatsapp/handles";

/** Filters of a list that select conversations; all given ones must match. */
export interface ThreadFilter {
  readonly threadId?: string | undefined;
  /** The contact itself, and all that were merged with it. */
  readonly contactId?: string | undefined;
  /** Spellings of a number; one of them has to be the contact's. */
  readonly numbers?: readonly string[] | undefined;
}

/**
 * Finds the conversations that the filters select, on the channels that the actor may use. An unknown id, and another
 * organization's, selects none.
 * @returns null if no filter is given, which selects all.
 */
export async function findThreads(ctx: Context, filter: ThreadFilter): Promise<readonly string[] | null> {
  const { threadId, contactId, numbers } = filter;
  if (threadId === undefined && contactId === undefined && numbers === undefined) return null;
  const { sql } = ctx.services;
  const { organizationId } = ctx.actor;
  const allowed = allowedChannels(ctx);
  const named = contactId === undefined ? sql`null::uuid[]` : kinOf(ctx, sql`(${contactId}::uuid)`);
  const numbered =
    numbers === undefined
      ? sql`null::uuid[]`
      : kinOf(
          ctx,
          sql`(select contact_id from contact_identities
            where organization_id = ${organizationId} and kind = 'whatsapp'
              and canonical = any(${numbers.map(canonicalHandle)}::text[]))`,
        );
  const people = sql`select ${named} as named, ${numbered} as numbered`;
  const candidates =
    threadId === undefined
      ? sql`p, unnest(coalesce(p.named, p.numbered)) as c (id)
          join conversations v on v.contact_id = c.id and v.organization_id = ${organizationId}`
      : sql`p join conversations v on v.id = ${threadId} and v.organization_id = ${organizationId}`;
  const rows = await sql<{ id: string }[]>`
    with p as materialized (${people})
    select v.id from ${candidates}
    where (p.named is null or v.contact_id = any(p.named))
      and (p.numbered is null or v.contact_id = any(p.numbered))
      and (${allowed}::uuid[] is null or v.channel_id = any(${allowed}::uuid[]))`;
  return rows.map(({ id }) => id);
}

/** SQL: the contacts, those that they were merged into, and all others that were. */
function kinOf({ services: { sql }, actor }: Context, contactIds: SqlFragment) {
  const { organizationId } = actor;
  return sql`array(
    with roots as materialized (
      select coalesce(k.merged_into, k.id) as id from contacts k
      where k.organization_id = ${organizationId} and k.id in ${contactIds})
    select id from roots
    union
    select k.id from roots r join contacts k on k.merged_into = r.id and k.organization_id = ${organizationId})`;
}
