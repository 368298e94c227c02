import type { Executor, SqlFragment, TransactionSql } from "@/db/client";
import { newUuid } from "@/db/new-uuid";
import { newId, type WebhookEventType } from "@/db/schema";
import type { Services } from "@/server/core/context";
import type { Subject } from "./subject";

/** An event to be sent to all endpoints that want it. */
export interface NewEvent {
  readonly organizationId: string;
  readonly type: WebhookEventType;
  readonly subject: Subject;
  /** The subject's own sequence number; null for a message's event that is no change of state. */
  readonly sequence: number | null;
  readonly at: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Returns the bytes that are signed and sent: the payload of Standard Webhooks, and the event's id, which is its
 * `webhook-id`.
 */
export function eventBody(id: string, { type, at, data }: Pick<NewEvent, "type" | "at" | "data">): string {
  return JSON.stringify({ id, type, timestamp: at.toISOString(), data });
}

/**
 * The id of an event, which is its `webhook-id`: the same at every endpoint, however often it is sent. For an older event, whose body doesn't contain the id, the `webhook-id` is the delivery's id.
 * @returns a column of deliveries under the name `d` and their events under the name `v`.
 */
export const webhookId = (sql: Executor): SqlFragment => sql`case when v.id_in_body then v.id else d.id end`;

/**
 * Stores events, and a delivery of each for every endpoint that wants it, in the transaction of the change: neither
 * without the other. For a disabled endpoint the delivery is stored as skipped, for one without a URL as waiting to be
 * fetched. An endpoint that is limited to channels gets the events of contacts with a conversation there. Events that no endpoint wants aren't stored. An endpoint's deliveries keep the order in which they were
 * stored, even if the clock was set back: readers continue from the last one that they have seen.
 * @returns endpoints to notify after the commit.
 */
export async function storeEvents(
  tx: TransactionSql,
  events: readonly NewEvent[],
): Promise<readonly string[]> {
  if (events.length === 0) return [];
  const column = <T>(pick: (event: NewEvent) => T): T[] => events.map(pick);
  const ids = events.map(() => newId());
  // The clock may return the same time for two rows: an extra microsecond each keeps their order.
  const rows = await tx<{ endpointId: string }[]>`
    with happened as (
      select r.*, clock_timestamp() + r.position * interval '1 microsecond' as created_at from unnest(
        ${ids}::uuid[], ${column((event) => event.organizationId)}::uuid[],
        ${column((event) => event.type)}::text[], ${column(({ subject }) => messageOf(subject)?.messageId ?? null)}::uuid[],
        ${column(({ subject }) => (subject.kind === "contact" ? subject.contactId : null))}::uuid[],
        ${column(({ subject }) => messageOf(subject)?.channelId ?? null)}::uuid[], ${column((event) => event.sequence)}::int[],
        ${events.map((event, index) => eventBody(ids[index] ?? "", event))}::text[]
      ) with ordinality as r (id, organization_id, type, message_id, contact_id, channel_id, sequence, body,
        position)
    ), wanted as (
      select h.*, e.id as endpoint_id,
        greatest(h.created_at, (select max(d.created_at) from webhook_deliveries d where d.endpoint_id = e.id)
          + h.position * interval '1 microsecond') as ordered_at,
        case when e.disabled_at is not null then 'skipped' when e.url is null then 'available' else 'pending' end as state
      from happened h
      join webhook_endpoints e on e.organization_id = h.organization_id and e.deleted_at is null
        and h.type = any(e.events) and (e.channel_ids is null or h.channel_id = any(e.channel_ids)
          or exists (select from conversations o where o.contact_id = h.contact_id
            and o.organization_id = h.organization_id and o.channel_id = any(e.channel_ids)))
    ), stored as (
      insert into webhook_events (id, organization_id, type, message_id, contact_id, sequence, body, id_in_body,
        created_at)
      select distinct on (id) id, organization_id, type, message_id, contact_id, sequence, body, true, created_at
      from wanted
    )
    insert into webhook_deliveries (id, organization_id, endpoint_id, event_id, type, state, created_at, next_attempt_at,
      ended_at)
    select ${newUuid(tx)}, organization_id, endpoint_id, id, type, state, ordered_at,
      case when state = 'pending' then now() end, case when state <> 'pending' then ordered_at end
    from wanted order by position
    returning case when state = 'pending' then endpoint_id end as "endpointId"`;
  return [...new Set(rows.flatMap(({ endpointId }) => endpointId ?? []))];
}

const messageOf = (subject: Subject) => (subject.kind === "message" ? subject : null);

/** Notifies endpoints of stored events. Call it after the commit. */
export function notifyEndpoints({ jobs }: Pick<Services, "jobs">, endpointIds: readonly string[]): void {
  for (const endpointId of new Set(endpointIds)) jobs.notifyEndpoint(endpointId);
}
