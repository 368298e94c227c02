import type { Context } from "@/server/core/context";
import {
  beginsWith,
  canonicalBeginnings,
  canonicalEnds,
  endsWith,
  spelledBeginning,
  spelledDigits,
} from "./number-search";

/** Maximum contacts that a search examines. If more match, the text is too short. */
export const CONTACTS_MAX = 100;
/** Maximum numbers read for that: the same final digits can also end numbers of other countries. */
const NUMBERS_MAX = 4 * CONTACTS_MAX;

export interface NamedIdentity {
  readonly contactId: string;
  readonly kind: "number" | "whatsapp_user_id";
}

/**
 * Finds the identities that a text names: a number in any spelling, or its last digits; or WhatsApp's id of a person. A
 * contact may appear several times. Costs one index lookup for each form that a number can have.
 */
export async function findIdentitiesNamed(ctx: Context, text: string): Promise<readonly NamedIdentity[]> {
  const digits = spelledDigits(text);
  if (digits.length > 0) {
    const found = await numbersEndingWith(ctx, digits.flatMap(canonicalEnds));
    return found
      .filter(({ canonical }) => digits.some((end) => endsWith(canonical, end)))
      .map(({ contactId }) => ({ contactId, kind: "number" }));
  }
  const rows = await ctx.services.sql<{ contactId: string }[]>`
    select contact_id as "contactId" from contact_identities
    where canonical = ${text} and organization_id = ${ctx.actor.organizationId} and kind in ('bsuid', 'parent_bsuid')`;
  return rows.map(({ contactId }) => ({ contactId, kind: "whatsapp_user_id" }));
}

/**
 * Finds contacts whose number starts with the digits, including the country code. The text has three or more digits in
 * any spelling. `isCut` is true if there may be more.
 */
export async function findNumbersBeginning(
  { services: { sql }, actor }: Context,
  text: string,
): Promise<{ readonly contactIds: readonly string[]; readonly isCut: boolean }> {
  const digits = spelledBeginning(text);
  if (digits === null) return { contactIds: [], isCut: false };
  const found = await sql<{ contactId: string; canonical: string }[]>`
    select i.contact_id as "contactId", i.canonical
    from unnest(${[...canonicalBeginnings(digits)]}::text[]) as b (beginning) cross join lateral (
      select contact_id, canonical from contact_identities
      where organization_id = ${actor.organizationId} and kind = 'whatsapp'
        and canonical ~>=~ b.beginning and canonical ~<~ (b.beginning || ':')
      limit ${NUMBERS_MAX}) i`;
  const fitting = found.filter(({ canonical }) => beginsWith(canonical, digits));
  return { contactIds: fitting.map(({ contactId }) => contactId), isCut: found.length >= NUMBERS_MAX };
}

/** Uses the index's operators, so that every plan of the statement can use it. A digit's successor is at most `:`. */
function numbersEndingWith({ services, actor }: Context, ends: readonly string[]) {
  const reversed = [...new Set(ends)].map((end) => [...end].toReversed().join(""));
  return services.sql<{ contactId: string; canonical: string }[]>`
    select i.contact_id as "contactId", i.canonical
    from unnest(${reversed}::text[]) as e (reversed) cross join lateral (
      select contact_id, canonical from contact_identities
      where reverse(canonical) ~>=~ e.reversed and reverse(canonical) ~<~ (e.reversed || ':')
        and organization_id = ${actor.organizationId} and kind = 'whatsapp'
      limit ${NUMBERS_MAX}) i`;
}
