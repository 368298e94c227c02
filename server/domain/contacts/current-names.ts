import type { Executor, SqlFragment, TransactionSql } from "@/db/client";
import type { IdentityKind } from "@/db/schema";
import type { Identity, Person } from "@/server/adapters/whatsapp/person";

/**
 * SQL: the order of a contact's identities `i` of one kind, the current one first. A customer can change the number and
 * change it back, so the name that WhatsApp used last is current; without such a report, the one that was stored last.
 */
export const currentFirst = (sql: Executor): SqlFragment =>
  sql`i.current_since desc nulls last, i.created_at desc, i.id desc`;

/** Reads the names under which a contact is reached now. */
export async function readCurrentNames(
  tx: TransactionSql,
  organizationId: string,
  contactId: string,
): Promise<Person> {
  const rows = await tx<{ kind: IdentityKind; handle: string }[]>`
    select distinct on (i.kind) i.kind, i.handle from contact_identities i
    where i.organization_id = ${organizationId} and i.contact_id = ${contactId}
    order by i.kind, ${currentFirst(tx)}`;
  const of = (kind: IdentityKind) => rows.find((row) => row.kind === kind)?.handle ?? null;
  return { number: of("whatsapp"), userId: of("bsuid"), parentUserId: of("parent_bsuid") };
}

/**
 * Notes that WhatsApp used these names of a contact at this time. They become its current ones, unless WhatsApp has used
 * others since. It gives times in whole seconds: within one second, the later callback counts as the later use.
 * @param at by WhatsApp's clock; null: now.
 */
export async function noteCurrentNames(
  tx: TransactionSql,
  organizationId: string,
  { contactId, names, at }: { contactId: string; names: readonly Identity[]; at: Date | null },
): Promise<void> {
  const time = tx`least(coalesce(${at}::timestamptz, now()), now())`;
  await tx`
    with current as (
      select distinct on (i.kind) i.kind, i.canonical, i.current_since from contact_identities i
      where i.organization_id = ${organizationId} and i.contact_id = ${contactId}
      order by i.kind, ${currentFirst(tx)}
    )
    update contact_identities i set current_since =
      greatest(${time}, c.current_since + interval '1 microsecond')
    from unnest(${names.map(({ kind }) => kind)}::text[], ${names.map(({ handle }) => handle)}::text[],
        ${names.map(({ canonical }) => canonical)}::text[]) as n (kind, handle, canonical)
      join current c on c.kind = n.kind and (c.canonical <> n.canonical or c.current_since is null)
    where i.organization_id = ${organizationId} and i.contact_id = ${contactId}
      and i.kind = n.kind and i.handle = n.handle
      and (c.current_since is null or c.current_since < ${time} + interval '1 second')`;
}
