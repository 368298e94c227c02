import type { WebhookDeliveryState, WebhookErrorClass, WebhookEventType } from "@/db/schema";
import type { Context } from "@/server/core/context";
import { ATTEMPTS_SHOWN_MAX, type DeliveryOutput } from "./delivery-schemas";
import type { Endpoint } from "../endpoints/endpoint";
import { type EncryptedSecrets, readSecrets, signatureHeaders } from "../endpoints/secret";
import { webhookId } from "../outbox/store-events";

interface DeliveryRow {
  readonly id: string;
  readonly eventId: string;
  readonly type: WebhookEventType;
  readonly state: WebhookDeliveryState;
  readonly messageId: string | null;
  readonly contactId: string | null;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
  readonly body: string | null;
  /** The latest ones, oldest first. */
  readonly attempts: readonly AttemptRow[];
  readonly attemptsCount: number;
}

/** It comes through JSON, so times are text. */
interface AttemptRow {
  readonly number: number;
  readonly startedAt: string;
  readonly durationMs: number | null;
  readonly httpStatus: number | null;
  readonly errorClass: WebhookErrorClass | null;
  readonly answer: string | null;
}

/**
 * Reads deliveries of the endpoint as the public API shows them, in the order of the ids; missing ones are left out.
 */
export async function readDeliveries(
  ctx: Context,
  endpoint: Endpoint,
  { ids, withPayload }: { ids: readonly string[]; withPayload: boolean },
): Promise<DeliveryOutput[]> {
  if (ids.length === 0) return [];
  const { sql } = ctx.services;
  const rows = await sql<DeliveryRow[]>`
    select d.id, ${webhookId(sql)} as "eventId", d.type, d.state, v.message_id as "messageId",
      v.contact_id as "contactId", d.created_at as "createdAt",
      d.next_attempt_at as "nextAttemptAt", ${withPayload ? sql`v.body` : sql`null as body`},
      coalesce((
        select json_agg(json_build_object('number', a.number, 'startedAt', a.started_at, 'durationMs', a.duration_ms,
          'httpStatus', a.http_status, 'errorClass', a.error_class, 'answer', a.answer) order by a.number)
        from (
          select * from webhook_attempts l where l.delivery_id = d.id and l.organization_id = d.organization_id
          order by l.number desc limit ${ATTEMPTS_SHOWN_MAX}) a), '[]') as attempts, d.attempts_ever as "attemptsCount"
    from unnest(${[...ids]}::uuid[]) with ordinality as q (id, position)
    join webhook_deliveries d on d.id = q.id and d.organization_id = ${endpoint.organizationId}
      and d.endpoint_id = ${endpoint.id}
    join webhook_events v on v.id = d.event_id and v.organization_id = d.organization_id
    order by q.position`;
  if (!withPayload) return rows.map(deliveryShape);
  const secrets = await readSecrets(sql, endpoint);
  return rows.map((row) => ({
    ...deliveryShape(row),
    body: row.body,
    headers: headersOf(ctx, secrets, row),
  }));
}

function deliveryShape(row: DeliveryRow): DeliveryOutput {
  return {
    id: row.id,
    event_id: row.eventId,
    type: row.type,
    state: row.state,
    message_id: row.messageId,
    contact_id: row.contactId,
    created_at: row.createdAt.toISOString(),
    next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
    attempts_count: row.attemptsCount,
    attempts: row.attempts.map((attempt) => ({
      number: attempt.number,
      started_at: new Date(attempt.startedAt).toISOString(),
      duration_ms: attempt.durationMs,
      http_status: attempt.httpStatus,
      error_class: attempt.errorClass,
      answer: attempt.answer,
    })),
  };
}

/** The headers of a call made now; null if there is nothing left to sign. */
function headersOf(
  { services }: Context,
  secrets: EncryptedSecrets,
  { eventId, body }: DeliveryRow,
): DeliveryOutput["headers"] {
  if (body === null) return null;
  return { ...signatureHeaders(services.vault, secrets, { webhookId: eventId, at: new Date(), body }) };
}
