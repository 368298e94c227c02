import { unseenArray } from "@/db/unseen-array";
import type { TransactionSql } from "@/db/client";
import { quotedUpstreamIdOf } from "../model/read-shape";
import type { DerivedEvent, StateColumns } from "./derive";

/** A locked message row, with everything that outcomes and evidence change. */
export interface MessageRow extends StateColumns {
  readonly id: string;
  readonly organizationId: string;
  readonly channelId: string;
  readonly conversationId: string;
  readonly contactId: string;
  readonly clientMessageId: string | null;
  readonly type: string;
  /** In the format of the request; empty once erased. */
  readonly content: Readonly<Record<string, unknown>>;
  /** WhatsApp's id of the message that this one quotes. */
  readonly quotedUpstreamId: string | null;
  readonly templateId: string | null;
  readonly recipient: string | null;
  readonly claimToken: string | null;
  readonly upstreamId: string | null;
  readonly nextAttemptAt: Date | null;
  readonly attempts: number;
  readonly holdUntil: Date | null;
  readonly inDoubtSince: Date | null;
  /** The conversation's consecutive pair-limit responses, as of the lock. */
  readonly pairLimitStreak: number;
  /** The channel's state, as of the lock. */
  readonly isChannelPaused: boolean;
  /** The organization has an endpoint that may want the message's events. */
  readonly hasWebhooks: boolean;
  /** Content and recipient are erased for good: the upstream's words about it aren't stored either. */
  readonly isErased: boolean;
}

export interface LockedMessages {
  readonly rows: Map<string, MessageRow>;
  /** The database's clock. */
  readonly now: Date;
}

/**
 * Locks messages in sorted order, in a separate statement: derivation then reads the latest committed data, and two
 * batches can't deadlock. The work spans organizations; each row has its own.
 * @param within only the messages of that channel.
 */
export async function lockMessages(
  tx: TransactionSql,
  ids: readonly string[],
  within?: { readonly organizationId: string; readonly channelId: string },
): Promise<LockedMessages> {
  if (ids.length === 0) return { rows: new Map(), now: new Date() };
  const ofChannel = within
    ? tx`and m.organization_id = ${within.organizationId} and m.channel_id = ${within.channelId}`
    : tx``;
  const rows = await tx<(MessageRow & { now: Date })[]>`
    select id, organization_id as "organizationId", channel_id as "channelId",
      conversation_id as "conversationId", contact_id as "contactId", client_message_id as "clientMessageId",
      type, content, ${quotedUpstreamIdOf(tx)} as "quotedUpstreamId", template_id as "templateId", recipient,
      claim_token as "claimToken", upstream_id as "upstreamId",
      state, event_sequence as "eventSequence", error_code as "errorCode", error_detail as "errorDetail",
      created_at as "createdAt", sent_at as "sentAt", delivered_at as "deliveredAt", read_at as "readAt",
      failed_at as "failedAt", next_attempt_at as "nextAttemptAt", attempts, hold_until as "holdUntil",
      in_doubt_since as "inDoubtSince",
      (select v.pair_limit_streak from conversations v where v.id = m.conversation_id) as "pairLimitStreak",
      (select c.paused_at is not null from channels c where c.id = m.channel_id) as "isChannelPaused",
      exists (select from webhook_endpoints w
        where w.organization_id = m.organization_id and w.deleted_at is null) as "hasWebhooks",
      erased_at is not null as "isErased",
      clock_timestamp() as now
    from messages m where id = any(${unseenArray(tx, [...new Set(ids)].sort())}) and kind = 'outbound' ${ofChannel}
    order by id for update`;
  return { rows: new Map(rows.map((row) => [row.id, row])), now: rows[0]?.now ?? new Date() };
}

/**
 * Writes rows that this transaction has locked. Every claim on them ends. A wamid that another message of the channel
 * already has, or gets in this very call, is not stored twice.
 */
export async function saveMessages(tx: TransactionSql, rows: readonly MessageRow[]): Promise<void> {
  if (rows.length === 0) return;
  const column = <T>(pick: (row: MessageRow) => T): T[] => rows.map(pick);
  const wamids = withoutRepeats(rows);
  const time = (pick: (row: MessageRow) => Date | null) => column((row) => pick(row)?.toISOString() ?? null);
  await tx`
    update messages m set
      state = r.state, event_sequence = r.event_sequence, error_code = r.error_code,
      error_detail = r.error_detail::jsonb, sent_at = r.sent_at, delivered_at = r.delivered_at, read_at = r.read_at,
      failed_at = r.failed_at, attempts = r.attempts, hold_until = r.hold_until, in_doubt_since = r.in_doubt_since,
      next_attempt_at = case when r.state = 'queued' then r.next_attempt_at end,
      claim_token = null, claimed_until = null,
      upstream_id = coalesce(m.upstream_id, (select r.upstream_id where not exists (
        select from messages o where o.channel_id = m.channel_id and o.upstream_id = r.upstream_id)))
    from unnest(
      ${unseenArray(
        tx,
        column((row) => row.id),
      )}, ${column((row) => row.state)}::text[],
      ${column((row) => row.eventSequence)}::int[], ${column((row) => row.errorCode)}::text[],
      ${column((row) => detailJson(row.errorDetail, row))}::text[],
      ${time((row) => row.sentAt)}::timestamptz[], ${time((row) => row.deliveredAt)}::timestamptz[],
      ${time((row) => row.readAt)}::timestamptz[], ${time((row) => row.failedAt)}::timestamptz[],
      ${column((row) => row.attempts)}::int[], ${time((row) => row.holdUntil)}::timestamptz[],
      ${time((row) => row.inDoubtSince)}::timestamptz[], ${time((row) => row.nextAttemptAt)}::timestamptz[],
      ${wamids}::text[]
    ) as r (id, state, event_sequence, error_code, error_detail, sent_at, delivered_at, read_at, failed_at, attempts,
      hold_until, in_doubt_since, next_attempt_at, upstream_id)
    where m.id = r.id`;
}

function detailJson(
  detail: Readonly<Record<string, unknown>> | null,
  row: Pick<MessageRow, "isErased">,
): string | null {
  return detail === null ? null : JSON.stringify(keptDetail(detail, row));
}

/** For an erased message only codes are stored, no words. */
export function keptDetail(
  detail: Readonly<Record<string, unknown>>,
  { isErased }: Pick<MessageRow, "isErased">,
): Readonly<Record<string, unknown>> {
  const { httpStatus, upstreamCode, windowDenied } = detail;
  return isErased ? { httpStatus, upstreamCode, windowDenied } : detail;
}

/** Returns the rows' wamids, each only for the first row of a channel that has it. */
function withoutRepeats(rows: readonly MessageRow[]): (string | null)[] {
  const usedNames = new Set<string>();
  return rows.map(({ channelId, upstreamId }) => {
    const name = `${channelId}:${upstreamId}`;
    if (upstreamId === null || usedNames.has(name)) return null;
    usedNames.add(name);
    return upstreamId;
  });
}

/** A row of the timeline: derived from evidence, or for staff only (`retry`, `uncertain`). */
export type TimelineEvent =
  | DerivedEvent
  | {
      readonly kind: "retry" | "uncertain";
      readonly sourceKey: string;
      readonly detail: Readonly<Record<string, unknown>> | null;
    };

export interface MessageEvent {
  readonly message: MessageRow;
  readonly event: TimelineEvent;
}

/** Appends to the timeline. An observation from the same source is not written twice. */
export async function appendEvents(tx: TransactionSql, events: readonly MessageEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ message, event }) => ({
    organizationId: message.organizationId,
    messageId: message.id,
    isErased: message.isErased,
    sequence: null,
    previousState: null,
    inferred: false,
    upstreamAt: null,
    errorCode: null,
    ...event,
  }));
  const column = <T>(pick: (row: (typeof rows)[number]) => T): T[] => rows.map(pick);
  await tx`
    insert into message_events (organization_id, message_id, kind, source_key, sequence, previous_state, inferred,
      upstream_at, error_code, detail)
    select r.organization_id, r.message_id, r.kind, r.source_key, r.sequence, r.previous_state,
      r.inferred::boolean, r.upstream_at, r.error_code, r.detail::jsonb
    from unnest(
      ${column((row) => row.organizationId)}::uuid[], ${column((row) => row.messageId)}::uuid[], ${column((row) => row.kind)}::text[],
      ${column((row) => row.sourceKey)}::text[], ${column((row) => row.sequence)}::int[],
      ${column((row) => row.previousState)}::text[], ${column((row) => String(row.inferred))}::text[],
      ${column((row) => row.upstreamAt?.toISOString() ?? null)}::timestamptz[],
      ${column((row) => row.errorCode)}::text[],
      ${column((row) => detailJson(row.detail, row))}::text[]
    ) as r (organization_id, message_id, kind, source_key, sequence, previous_state, inferred, upstream_at,
      error_code, detail)
    on conflict (message_id, kind, source_key) do nothing`;
}
