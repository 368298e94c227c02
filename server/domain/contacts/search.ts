import { z } from "zod";
import type { SqlFragment } from "@/db/client";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { windowOpenUntil } from "@/server/domain/conversations/customer-window";
import { decodeCursor, type ListTotal, type Page, pageInput, pageOf, TOTAL_MAX } from "@/server/core/paging";
import { isUuid } from "@/server/lib/uuid";
import { findByName } from "./find-by-name";
import { CONTACTS_MAX, findIdentitiesNamed, findNumbersBeginning } from "./find-named";
import { currentFirst } from "./current-names";
import { withMerged } from "./merged-contacts";

/** Longer than any name to search for, and than a number with separators between all digits. */
export const SEARCH_LENGTH_MAX = 500;

export const countContactsInput = z.strictObject({
  /**
   * A name or its start, a number in any spelling, its first three or more digits, its last six or more, or an id of
   * the contact.
   */
  q: z.string().max(SEARCH_LENGTH_MAX, `must have at most ${SEARCH_LENGTH_MAX} characters`).optional(),
});

export const searchContactsInput = countContactsInput.extend(pageInput);

/**
 * A contact as a list shows it. A contact without name and number was emptied, because nothing of it is kept any more.
 */
export interface ContactSummary {
  readonly id: string;
  readonly name: string | null;
  /** E.164 without the plus sign, the current one. */
  readonly number: string | null;
  /** WhatsApp's id of the person. */
  readonly userId: string | null;
  /** By WhatsApp's clock, on any channel. */
  readonly lastWroteAt: Date | null;
  /** The latest end among the open customer windows of its channels; null if none is open. */
  readonly windowOpenUntil: Date | null;
  readonly marketingOptedOutAt: Date | null;
  readonly createdAt: Date;
}

export interface ContactPage extends Page<ContactSummary> {
  /** Whether more contacts match than were examined: the search text is too short. */
  readonly isCut: boolean;
}

const LIST = "contact-search";

/**
 * Lists the organization's contacts, newest first. Of merged contacts only the remaining one is listed. Erased ones are
 * left out. Each page costs the same however many there are.
 * @throws WaypostError `permission_denied` without `contacts.read`.
 */
export async function searchContacts(args: {
  ctx: Context;
  input: z.output<typeof searchContactsInput>;
}): Promise<ContactPage> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "contacts.read");
  const before = decodeCursor(ctx, LIST, input.cursor)?.[0] ?? null;
  const found = await findSearched(ctx, input.q);
  const rows = await selectContacts(ctx, {
    among: found?.contactIds ?? null,
    before,
    limit: input.limit + 1,
  });
  const page = pageOf({
    ctx,
    list: LIST,
    rows,
    limit: input.limit,
    shape: (row) => row,
    position: ({ id }) => [id],
  });
  return { ...page, isCut: found?.isCut ?? false };
}

/**
 * Counts what `searchContacts` lists, up to a maximum.
 * @throws WaypostError `permission_denied` without `contacts.read`.
 */
export async function countContacts(args: {
  ctx: Context;
  input: z.output<typeof countContactsInput>;
}): Promise<ListTotal> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "contacts.read");
  const found = await findSearched(ctx, input.q);
  const [row] = await ctx.services.sql<{ count: number }[]>`
    select count(*)::int as count from (
      ${listedIds(ctx, { among: found?.contactIds ?? null, before: null })} limit ${TOTAL_MAX + 1}) k`;
  const count = Math.min(row?.count ?? 0, TOTAL_MAX);
  return { count, isMore: (row?.count ?? 0) > TOTAL_MAX || (found?.isCut ?? false) };
}

/** Null without a search text. */
async function findSearched(ctx: Context, q: string | undefined) {
  const typed = q?.trim() ?? "";
  return typed === "" ? null : findTyped(ctx, typed);
}

/** Finds contacts by a name, a number or an id. `isCut` is true if there may be more. */
export async function findTyped(
  ctx: Context,
  typed: string,
): Promise<{ contactIds: string[]; isCut: boolean }> {
  const [identities, beginning, names] = await Promise.all([
    findIdentitiesNamed(ctx, typed),
    findNumbersBeginning(ctx, typed),
    findByName(ctx, typed),
  ]);
  const named = new Set([...identities.map(({ contactId }) => contactId), ...beginning.contactIds]);
  return {
    contactIds: [...named, ...names.contactIds, ...(isUuid(typed) ? [typed] : [])],
    isCut: names.isCut || beginning.isCut || named.size > CONTACTS_MAX,
  };
}

interface Listed {
  /** Null for all. */
  readonly among: readonly string[] | null;
  /** The id after which a page begins. */
  readonly before: string | null;
}

/** SQL: the ids of the contacts that are listed, in no order. */
function listedIds({ services: { sql }, actor }: Context, { among, before }: Listed): SqlFragment {
  const { organizationId } = actor;
  const own = sql`k.organization_id = ${organizationId} and k.erased_at is null`;
  const after = before === null ? sql`` : sql`and k.id < ${before}::uuid`;
  if (among === null) return sql`select k.id from contacts k where ${own} and k.merged_into is null ${after}`;
  return sql`select k.id from contacts k where ${own} ${after} and k.id in (
    select coalesce(f.merged_into, f.id) from contacts f
    where f.organization_id = ${organizationId} and f.id = any(${[...among]}::uuid[]))`;
}

function selectContacts(
  ctx: Context,
  { limit, ...listed }: Listed & { readonly limit: number },
): Promise<ContactSummary[]> {
  const { sql } = ctx.services;
  const { organizationId } = ctx.actor;
  return sql<ContactSummary[]>`
    select k.id, k.name, k.marketing_opted_out_at as "marketingOptedOutAt", k.created_at as "createdAt",
      (select handle from contact_identities i where i.contact_id = k.id and i.organization_id = ${organizationId}
        and i.kind = 'whatsapp' order by ${currentFirst(sql)} limit 1) as number,
      (select handle from contact_identities i where i.contact_id = k.id and i.organization_id = ${organizationId}
        and i.kind = 'bsuid' order by ${currentFirst(sql)} limit 1) as "userId",
      w."lastWroteAt", w."windowOpenUntil"
    from (${listedIds(ctx, listed)} order by k.id desc limit ${limit}) p
    join contacts k on k.id = p.id and k.organization_id = ${organizationId}
    cross join lateral (
      select max(v.last_inbound_at) as "lastWroteAt", max(${windowOpenUntil(sql)}) as "windowOpenUntil"
      from conversations v join channels c on c.id = v.channel_id and c.organization_id = v.organization_id
      where v.organization_id = ${organizationId} and v.contact_id = any(${withMerged(sql, organizationId, sql`array[k.id]`)})) w
    order by k.id desc`;
}
