import type { TransactionSql } from "@/db/client";

/** Deliveries of one organization, all of them delivered. */
export interface DeliveryHistory {
  readonly organizationId: string;
  /** Each gets every event. */
  readonly endpointIds: readonly string[];
  readonly deliveries: number;
}

const EVENTS_PER_BATCH = 100_000;
/** So many messages have all the events. */
const MESSAGES = 1_000;
const FIRST_SEQUENCE = 10;
const HISTORY_DAYS = 30;

/** Adds deliveries with their events and attempts, evenly over the last 30 days, oldest first. */
export async function addDeliveryHistory(tx: TransactionSql, history: DeliveryHistory): Promise<void> {
  const events = Math.ceil(history.deliveries / history.endpointIds.length);
  for (let from = 0; from < events; from += EVENTS_PER_BATCH) {
    await addBatch(tx, history, { from, to: Math.min(from + EVENTS_PER_BATCH, events), events });
  }
}

async function addBatch(
  tx: TransactionSql,
  { organizationId, endpointIds }: DeliveryHistory,
  { from, to, events }: { readonly from: number; readonly to: number; readonly events: number },
): Promise<void> {
  await tx`
    with reported as (
      select m.id, row_number() over () - 1 as place from (
        select id from messages where organization_id = ${organizationId} and kind = 'outbound' limit ${MESSAGES}) m
    ), planned as (
      select i, now() - make_interval(days => ${HISTORY_DAYS}) * (1 - i::float8 / ${events}) as at
      from generate_series(${from}::bigint, ${to - 1}::bigint) i
    ), happened as (
      insert into webhook_events (id, organization_id, type, message_id, sequence, body, id_in_body, created_at)
      select uuidv7(p.at - now()), ${organizationId}, 'message.sent', m.id, ${FIRST_SEQUENCE} + p.i / ${MESSAGES},
        repeat('x', 200), true, p.at
      from planned p join reported m on m.place = p.i % ${MESSAGES} order by p.i
      returning id, created_at
    ), delivered as (
      insert into webhook_deliveries (id, organization_id, endpoint_id, event_id, type, state, attempts, attempts_ever,
        created_at, last_attempt_at, ended_at)
      select uuidv7(h.created_at - now()), ${organizationId}, e.id, h.id, 'message.sent', 'delivered', 1, 1, h.created_at,
        h.created_at, h.created_at
      from happened h cross join unnest(${[...endpointIds]}::uuid[]) as e (id)
      returning id, created_at
    )
    insert into webhook_attempts (organization_id, delivery_id, number, started_at, finished_at, duration_ms, http_status)
    select ${organizationId}, id, 1, created_at, created_at, 20, 204 from delivered`;
}
