import type { Executor, SqlFragment, TransactionSql } from "@/db/client";
import type { IdentityKind } from "@/db/schema";
import type { Identity, Person } from "@/server/adapters/whatsapp/person";

/**
 * SQL: the order of a contact's identities `i` of one kind, the current one first. A customer can change the number and
 * change it back, so the name that WhatsApp used last is current; without such a report, the one that was stored last.
 */
export const currentFirst = (sql: Executor): SqlFragment =>
  sql`i.current_since desc nulls last, i.created_at desc, i.id desc`;

/** Messages of a conversation in which a name is looked for, the newest first. */
const MESSAGES_MAX = 500;

/**
 * SQL: when WhatsApp last used the identity `i`, as its contact's current name or as the sender of a message; null if it
 * never did. A message from the current name isn't noted when it arrives, because nearly all are.
 */
export const lastUse = (sql: Executor): SqlFragment => sql`
  greatest(i.current_since, (
    select max(w.upstream_at) from conversations v cross join lateral (
      select l.upstream_at from (
        select m.kind, m.type, m.sender_number, m.sender_user_id, m.upstream_at from messages m
        where m.conversation_id = v.id and m.organization_id = v.organization_id and m.erased_at is null
        order by m.accept_seq desc limit ${MESSAGES_MAX}) l
      where l.kind = 'inbound' and l.type <> 'system'
        and case i.kind when 'whatsapp' then l.sender_number when 'bsuid' then l.sender_user_id end = i.handle) w
    where v.contact_id = i.contact_id and v.organization_id = i.organization_id))`;

/** SQL: WhatsApp gives times in whole seconds. Within one second, the callback that comes later counts as the later. */
export const isBefore = (sql: Executor, use: SqlFragment, at: SqlFragment): SqlFragment => sql`
  coalesce(${use} < ${at} + interval '1 second', true)`;

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
 * Makes these names of a contact its current ones, unless WhatsApp has used others after this time.
 * @param at by WhatsApp's clock; null: now.
 */
export async function markCurrentNames(
  tx: TransactionSql,
  organizationId: string,
  { contactId, names, at }: { contactId: string; names: readonly Identity[]; at: Date | null },
): Promise<void> {
  const time = tx`least(coalesce(${at}::timestamptz, now()), now())`;
  await tx`
    with current as materialized (
      select distinct on (i.kind) i.kind, i.canonical, ${lastUse(tx)} as used_at from contact_identities i
      where i.organization_id = ${organizationId} and i.contact_id = ${contactId}
      order by i.kind, ${currentFirst(tx)}
    )
    update contact_identities i set current_since = greatest(
      ${time}, i.current_since, case when c.canonical <> n.canonical then c.used_at + interval '1 microsecond' end)
    from unnest(${names.map(({ kind }) => kind)}::text[], ${names.map(({ handle }) => handle)}::text[],
        ${names.map(({ canonical }) => canonical)}::text[]) as n (kind, handle, canonical)
      join current c on c.kind = n.kind
    where i.organization_id = ${organizationId} and i.contact_id = ${contactId}
      and i.kind = n.kind and i.handle = n.handle
      and (c.canonical = n.canonical or ${isBefore(tx, tx`c.used_at`, time)})`;
}
