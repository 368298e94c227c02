import type { SqlFragment } from "@/db/client";
import { allowedChannels } from "@/server/core/channel-access";
import type { Context } from "@/server/core/context";
import { canonicalHandle } from "@/server/adapters/whatsapp/handles";
import { contactsOfPersons } from "./merged-contacts";

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
  const kinOf = (contactIds: SqlFragment) => contactsOfPersons(sql, organizationId, contactIds);
  const named = contactId === undefined ? sql`null::uuid[]` : kinOf(sql`array[${contactId}::uuid]`);
  const numbered =
    numbers === undefined
      ? sql`null::uuid[]`
      : kinOf(
          sql`array(select contact_id from contact_identities
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
