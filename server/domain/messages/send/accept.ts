import { newId } from "@/db/schema";
import type { Executor, SqlFragment, TransactionSql } from "@/db/client";
import { retryOnConflict } from "@/db/errors";
import { createBatcher } from "@/server/lib/batch";
import { ensureContactIn, ensureConversationIn } from "@/server/domain/contacts/ensure";
import { type Context, perServices } from "@/server/core/context";
import { keyError } from "@/server/domain/keys/authenticate";
import { REACTION_LEAD } from "../deliver/reaction-order";
import type { Destination } from "./destination";

/** A request's content, ready for comparison. */
export interface PreparedMessage {
  readonly clientMessageId: string;
  readonly fingerprint: Buffer;
  readonly type: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** The message that this one sends again. */
  readonly resendOf: string | null;
}

/** Ids of the objects that the content refers to. */
export interface ContentLinks {
  readonly templateId: string | null;
  readonly uploadId: string | null;
}

/** A message that has passed all rules. */
export type AcceptableMessage = PreparedMessage & ContentLinks;

export interface AcceptedMessage {
  readonly messageId: string;
  readonly conversationId: string;
  readonly contactId: string;
}

interface Row extends AcceptedMessage {
  readonly organizationId: string;
  readonly channelId: string;
  readonly recipient: string;
  readonly keyId: string | null;
  readonly secretId: string | null;
  readonly memberId: string | null;
  readonly requestId: string | null;
  readonly message: AcceptableMessage;
}

type Outcome = "inserted" | "taken" | "revoked" | "expired";

const BATCH_MAX = 64;
const IN_FLIGHT_MAX = 1;

const batcherOf = perServices((services) =>
  createBatcher<Row, Outcome>({
    run: (rows) => retryOnConflict(() => insertRows(services.sql, rows)),
    itemsMax: BATCH_MAX,
    inFlightMax: IN_FLIGHT_MAX,
    gathered: services.load.batchSize,
  }),
);

/** Writes further rows in the message's transaction: they are stored together with the message, or not at all. */
export type AlsoInTransaction = (tx: TransactionSql, messageId: string) => Promise<void>;

/**
 * Stores a message together with its contact, identity and conversation if they are new, in one transaction. The insert
 * statement checks again that the key is live.
 * @returns null if another process took the `client_message_id` in the meantime; nothing was stored then.
 * @throws WaypostError `api_key_revoked`, `api_key_expired`, `identity_conflict`.
 */
export async function acceptMessage(
  ctx: Context,
  message: AcceptableMessage,
  destination: Destination,
  alsoInTransaction?: AlsoInTransaction,
): Promise<AcceptedMessage | null> {
  const { contactId, conversationId } = destination;
  if (contactId === null || conversationId === null || alsoInTransaction !== undefined)
    return acceptInTransaction(ctx, message, destination, alsoInTransaction);
  const row = rowOf(ctx, message, destination, { contactId, conversationId });
  return settled(row, await batcherOf(ctx.services)(row));
}

async function acceptInTransaction(
  ctx: Context,
  message: AcceptableMessage,
  destination: Destination,
  alsoInTransaction?: AlsoInTransaction,
): Promise<AcceptedMessage | null> {
  const rollback = new Error("Taken by another request");
  try {
    return await retryOnConflict(() =>
      ctx.services.sql.begin(async (tx) => {
        const row = rowOf(ctx, message, destination, await ensureThread(tx, ctx, destination));
        const [outcome] = await insertRows(tx, [row]);
        const accepted = settled(row, outcome);
        if (accepted === null) throw rollback;
        await alsoInTransaction?.(tx, accepted.messageId);
        return accepted;
      }),
    );
  } catch (error) {
    if (error === rollback) return null;
    throw error;
  }
}

async function ensureThread(
  tx: TransactionSql,
  { actor }: Context,
  { contactId, conversationId, channelId, recipient }: Destination,
): Promise<{ contactId: string; conversationId: string }> {
  if (contactId !== null && conversationId !== null) return { contactId, conversationId };
  const contact = await ensureContactIn(tx, actor.organizationId, { handle: recipient });
  const thread = await ensureConversationIn(tx, actor.organizationId, contact.contactId, channelId);
  return { contactId: contact.contactId, conversationId: thread.conversationId };
}

function rowOf(
  ctx: Context,
  message: AcceptableMessage,
  destination: Destination,
  ids: { contactId: string; conversationId: string },
): Row {
  return {
    messageId: newId(),
    organizationId: ctx.actor.organizationId,
    channelId: destination.channelId,
    recipient: destination.recipient,
    keyId: ctx.actor.kind === "key" ? ctx.actor.keyId : null,
    secretId: ctx.actor.kind === "key" ? ctx.actor.secretId : null,
    memberId: ctx.actor.kind === "member" ? ctx.actor.memberId : null,
    requestId: ctx.requestId,
    message,
    ...ids,
  };
}

function settled(row: Row, outcome: Outcome | undefined): AcceptedMessage | null {
  if (outcome === "revoked") throw keyError("api_key_revoked");
  if (outcome === "expired") throw keyError("api_key_expired");
  return outcome === "inserted" ? row : null;
}

/** SQL: the rows to insert, as the table `input`. */
function inputOf(sql: Executor, rows: readonly Row[]): SqlFragment {
  const column = <T>(pick: (row: Row) => T): T[] => rows.map(pick);
  return sql`
      select * from unnest(
        ${column((row) => row.messageId)}::uuid[], ${column((row) => row.organizationId)}::uuid[],
        ${column((row) => row.conversationId)}::uuid[],
        ${column((row) => row.contactId)}::uuid[], ${column((row) => row.channelId)}::uuid[],
        ${column((row) => row.keyId)}::uuid[], ${column((row) => row.secretId)}::uuid[],
        ${column((row) => row.message.clientMessageId)}::text[],
        ${column((row) => row.message.fingerprint.toString("hex"))}::text[],
        ${column((row) => row.message.type)}::text[], ${column((row) => JSON.stringify(row.message.content))}::text[],
        ${column((row) => row.recipient)}::text[], ${column((row) => row.requestId)}::text[],
        ${column((row) => row.message.templateId)}::uuid[], ${column((row) => row.message.uploadId)}::uuid[],
        ${column((row) => row.memberId)}::uuid[], ${column((row) => row.message.resendOf)}::uuid[]
      ) with ordinality as i (id, organization_id, conversation_id, contact_id, channel_id, key_id, secret_id,
        client_message_id, fingerprint, type, content, recipient, request_id, template_id, upload_id, member_id,
        resend_of, position)`;
}

async function insertRows(sql: Executor, rows: readonly Row[]): Promise<Outcome[]> {
  const result = await sql<{ outcome: Outcome }[]>`
    with input as (
      ${inputOf(sql, rows)}
    ), checked as (
      select i.position, case
        when i.key_id is null then 'live'
        when k.id is null or k.revoked_at is not null or s.ends_at <= now() then 'revoked'
        when k.expires_at <= now() then 'expired'
        else 'live' end as status
      from input i
      left join (api_keys k join api_key_secrets s on s.organization_id = k.organization_id and s.key_id = k.id)
        on k.organization_id = i.organization_id and k.id = i.key_id and s.id = i.secret_id
    ), inserted as (
      insert into messages (id, organization_id, conversation_id, contact_id, channel_id, kind, type, content, key_id,
        client_message_id, body_fingerprint, recipient, request_id, template_id, upload_id, member_id, resend_of,
        state, next_attempt_at, enqueued_at, created_at)
      select i.id, i.organization_id, i.conversation_id, i.contact_id, i.channel_id, 'outbound', i.type,
        i.content::jsonb, i.key_id, i.client_message_id, decode(i.fingerprint, 'hex'), i.recipient, i.request_id,
        i.template_id, i.upload_id, i.member_id, i.resend_of, 'queued',
        case when i.type = 'reaction' then now() - ${REACTION_LEAD}::interval else now() end, now(), clock_timestamp()
      from input i join checked using (position) where status = 'live'
      -- One order in every process, or two batches with two ids in common could wait for each other.
      order by i.organization_id, i.client_message_id
      on conflict (organization_id, client_message_id) do nothing
      returning id, organization_id, conversation_id, accept_seq, created_at
    ), locked as materialized (
      -- One order here too. All messages are inserted before the first conversation is locked.
      select v.id, a.accept_seq, a.created_at
      from (
        select organization_id, conversation_id, max(accept_seq) as accept_seq, max(created_at) as created_at
        from inserted group by organization_id, conversation_id) a
      join conversations v on v.id = a.conversation_id and v.organization_id = a.organization_id
      order by v.id for no key update of v
    ), noted as (
      update conversations v set last_activity_seq = l.accept_seq, last_message_at = l.created_at
      from locked l where v.id = l.id and v.last_activity_seq < l.accept_seq
    )
    select case when status <> 'live' then status when n.id is null then 'taken' else 'inserted' end as outcome
    from input i join checked using (position) left join inserted n on n.id = i.id
    order by i.position`;
  return result.map((row) => row.outcome);
}
