import type { Executor, Sql } from "@/db/client";
import { equivalentHandles } from "@/server/adapters/whatsapp/handles";

const BATCH_MAX = 500;
/** Maximum rows locked together. */
const QUEUED_BATCH_MAX = 100;

/** Returns some messages in the contacts' conversations that aren't erased yet. */
export async function keptMessages(
  sql: Executor,
  organizationId: string,
  contactIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`
    select m.id from conversations v join messages m on m.conversation_id = v.id
    where v.organization_id = ${organizationId} and v.contact_id = any(${[...contactIds]}::uuid[])
      and m.erased_at is null
    limit ${BATCH_MAX}`;
  return rows.map(({ id }) => id);
}

/** Returns some queued messages of the contacts after a given acceptance number, in order. */
export async function queuedMessages(
  sql: Sql,
  organizationId: string,
  contactIds: readonly string[],
  afterSeq: number,
): Promise<readonly { id: string; acceptSeq: number }[]> {
  return sql<{ id: string; acceptSeq: number }[]>`
    select m.id, m.accept_seq as "acceptSeq" from conversations v join messages m on m.conversation_id = v.id
    where v.organization_id = ${organizationId} and v.contact_id = any(${[...contactIds]}::uuid[])
      and m.is_queued and m.accept_seq > 0 and m.accept_seq > ${afterSeq}
    order by m.accept_seq limit ${QUEUED_BATCH_MAX}`;
}

export interface NamesInMessages {
  /** Numbers in every written form, and WhatsApp's ids of the person. */
  readonly handles: readonly string[];
  /** WhatsApp's ids of the messages. */
  readonly upstreamIds: readonly string[];
  /** Files that were sent. */
  readonly uploadIds: readonly string[];
}

/** Everything that identifies stored copies about the contacts. */
export async function namesIn(
  sql: Sql,
  organizationId: string,
  contactIds: readonly string[],
): Promise<NamesInMessages> {
  const handles = new Set<string>();
  const upstreamIds = new Set<string>();
  const uploadIds = new Set<string>();
  const identities = await sql<{ handle: string }[]>`
    select handle from contact_identities
    where organization_id = ${organizationId} and contact_id = any(${[...contactIds]}::uuid[])`;
  for (const { handle } of identities) for (const form of equivalentHandles(handle)) handles.add(form);
  for await (const { recipient, upstreamId, uploadId } of inPages(sql, organizationId, contactIds)) {
    if (recipient !== null) for (const form of equivalentHandles(recipient)) handles.add(form);
    if (upstreamId !== null) upstreamIds.add(upstreamId);
    if (uploadId !== null) uploadIds.add(uploadId);
  }
  return { handles: [...handles], upstreamIds: [...upstreamIds], uploadIds: [...uploadIds] };
}

interface KeptMessage {
  readonly acceptSeq: number;
  readonly recipient: string | null;
  readonly upstreamId: string | null;
  readonly uploadId: string | null;
}

/** Yields the contacts' stored data, one conversation after the other, in order. */
async function* inPages(
  sql: Sql,
  organizationId: string,
  contactIds: readonly string[],
): AsyncGenerator<KeptMessage> {
  const conversations = await sql<{ id: string }[]>`
    select id from conversations
    where organization_id = ${organizationId} and contact_id = any(${[...contactIds]}::uuid[])`;
  for (const { id } of conversations) {
    for (let after: number | undefined = 0; after !== undefined;) {
      const page: KeptMessage[] = await sql<KeptMessage[]>`
        select accept_seq as "acceptSeq", recipient, upstream_id as "upstreamId", upload_id as "uploadId"
        from messages
        where organization_id = ${organizationId} and conversation_id = ${id} and erased_at is null
          and accept_seq > ${after}
        order by accept_seq limit ${BATCH_MAX}`;
      yield* page;
      after = page.at(-1)?.acceptSeq;
    }
  }
}

/** Returns those of these files that were sent in no message to anybody else. */
export async function uploadsOnlyOf(
  sql: Sql,
  organizationId: string,
  { contactIds, uploadIds }: { contactIds: readonly string[]; uploadIds: readonly string[] },
): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`
    select u.id from uploads u
    where u.organization_id = ${organizationId} and u.id = any(${[...uploadIds]}::uuid[]) and u.erased_at is null
      and not exists (
        select from messages m join conversations v on v.id = m.conversation_id
        where m.upload_id = u.id and v.contact_id <> all(${[...contactIds]}::uuid[]))`;
  return rows.map(({ id }) => id);
}
