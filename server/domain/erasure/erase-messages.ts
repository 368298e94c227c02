import type { TransactionSql } from "@/db/client";

/**
 * Erases the content of messages, their recipients, and the upstream's words about them, under their row locks, in any
 * state. Ids, fingerprint, state, codes, times and order stay: a repeated request still gets its response, and an id
 * can't be reused. Idempotent.
 * @returns how many weren't erased before.
 */
export async function eraseMessages(
  tx: TransactionSql,
  organizationId: string,
  messageIds: readonly string[],
): Promise<number> {
  if (messageIds.length === 0) return 0;
  const ids = [...messageIds];
  // The statements are pipelined and run in this order. Code that adds to a message's history locks the message first.
  const [erased] = await Promise.all([
    tx`
      with locked as materialized (
        select id from messages
        where organization_id = ${organizationId} and id = any(${ids}::uuid[]) and erased_at is null
        order by id for update
      )
      update messages m set content = '{}', recipient = null, sender_number = null, sender_user_id = null,
        error_detail = ${codesIn(tx, "m.error_detail")},
        erased_at = clock_timestamp()
      from locked where m.id = locked.id`,
    tx`
      update message_events set detail = ${codesIn(tx, "detail")}
      where organization_id = ${organizationId} and message_id = any(${ids}::uuid[]) and detail is not null`,
    eraseReported(tx, organizationId, ids),
    ...ATTEMPTS_BY_INDEX.map(
      (outcomes) => tx`
        update message_attempts set recipient = null, detail = null
        where organization_id = ${organizationId} and message_id = any(${ids}::uuid[]) and ${tx.unsafe(outcomes)}
          and (recipient is not null or detail is not null)`,
    ),
  ]);
  return erased.count;
}

/** A state event's data without what names the customer, as a read shows the erased message. */
const NAMELESS = JSON.stringify({
  to: { kind: "whatsapp", handle: null, user_id: null },
  content: null,
  reply_to: null,
});

/**
 * Erases the bodies of webhooks about the messages, and the endpoints' responses. Events about states stay, because
 * their deliveries may be waiting, without recipient and content.
 */
async function eraseReported(tx: TransactionSql, organizationId: string, ids: string[]): Promise<void> {
  await Promise.all([
    tx`
      update webhook_events set body = null
      where organization_id = ${organizationId} and message_id = any(${ids}::uuid[]) and type = 'message.received'
        and body is not null`,
    tx`
      update webhook_events set body = (
        body::jsonb || jsonb_build_object('data', body::jsonb->'data' || ${NAMELESS}::text::jsonb))::text
      where organization_id = ${organizationId} and message_id = any(${ids}::uuid[])
        and type in ('message.sent', 'message.delivered', 'message.read', 'message.failed')
        and body is not null and body::jsonb->'data' ? 'content'`,
    tx`
      update webhook_attempts a set answer = null
      from webhook_events v join webhook_deliveries d on d.event_id = v.id and d.organization_id = v.organization_id
      where v.organization_id = ${organizationId} and v.message_id = any(${ids}::uuid[])
        and a.delivery_id = d.id and a.organization_id = d.organization_id and a.answer is not null`,
  ]);
}

/** One of two partial indexes finds an attempt. */
const ATTEMPTS_BY_INDEX = [
  "(outcome is null or outcome in ('accepted', 'uncertain'))",
  "outcome in ('rejected', 'retry')",
] as const;

/** The parts of a stored detail that aren't words. */
const codesIn = (tx: TransactionSql, column: "detail" | "m.error_detail") => tx`
  (select jsonb_object_agg(key, value) from jsonb_each(${tx.unsafe(column)}) where key in ('httpStatus', 'upstreamCode', 'windowDenied'))`;
