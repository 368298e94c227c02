import { randomUUID } from "node:crypto";
import type { TransactionSql } from "@/db/client";
import { perServices, type Services } from "@/server/core/context";
import { fromNow, type QueueState } from "@/server/core/queue/drain";
import { createInFlight } from "@/server/core/queue/in-flight";
import { RETRY_STEPS_SECONDS } from "../endpoints/schedule";
import type { EncryptedSecrets } from "../endpoints/secret";
import { webhookId } from "../outbox/store-events";

/** Maximum concurrent calls to one endpoint, over all processes. */
export const IN_FLIGHT_MAX = 32;

/** Longer than a call and storing its outcome take. The sweep releases expired claims. */
export const LEASE_SECONDS = 45;

/** A delivery whose attempt is already stored: its call may start. Claims span organizations: each row has its own. */
export interface ClaimedDelivery extends EncryptedSecrets {
  readonly id: string;
  /** The event's id. */
  readonly webhookId: string;
  readonly organizationId: string;
  readonly claimToken: string;
  readonly url: string;
  /** Null if erased: there is nothing left to send. */
  readonly body: string | null;
  /** Attempts in this run of the schedule, including this one. */
  readonly attempts: number;
  /** Number of this attempt, over all runs. */
  readonly number: number;
  /** When the attempt started, by the database's clock. */
  readonly startedAt: Date;
}

/** A delivery as a claim returns it. */
export interface DueDelivery extends ClaimedDelivery {
  /** No other delivery waited for the endpoint at the time of the claim, except those that were claimed with it. */
  readonly isQueueEmpty: boolean;
}

/**
 * Claims due deliveries of an endpoint under its lock: never more than its free slots, over all processes; one at a
 * time if it first has to prove that it is reachable again; none while it backs off. The attempt and the time of the
 * next one are stored in the same statement, so an attempt that ends in a crash also counts.
 */
export async function claimDeliveries(
  { sql }: Services,
  endpointId: string,
  max: number,
): Promise<DueDelivery[]> {
  return sql<DueDelivery[]>`
    -- What it returns is as new as the lock. The rest of the statement sees what was committed before the wait for it.
    with endpoint as materialized (
      select * from lock_webhook_slots(${endpointId}, ${IN_FLIGHT_MAX})
    ), due as (
      select id from webhook_deliveries
      -- Read once: an index can be asked for it. What waits for later would all be looked at otherwise.
      where endpoint_id = ${endpointId} and is_pending and claim_token is null
        and next_attempt_at <= (select clock_timestamp())
      order by next_attempt_at
      limit (select greatest(0, least(${max}::int, free)) from endpoint)
      for update skip locked
    ), claimed as (
      update webhook_deliveries d
      set claim_token = ${randomUUID()}, claimed_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}),
        attempts = attempts + 1, attempts_ever = attempts_ever + 1, last_attempt_at = clock_timestamp(),
        -- Nothing, after the last.
        next_attempt_at = clock_timestamp()
          + make_interval(secs => (${[...RETRY_STEPS_SECONDS]}::int[])[attempts + 1])
      from due where d.id = due.id
      returning d.*
    ), noted as (
      insert into webhook_attempts (organization_id, delivery_id, number, started_at)
      select organization_id, id, attempts_ever, last_attempt_at from claimed
    )
    select d.id, ${webhookId(sql)} as "webhookId", d.organization_id as "organizationId", d.claim_token as "claimToken",
      e.url, v.body, d.attempts, d.attempts_ever as number, d.last_attempt_at as "startedAt",
      d.endpoint_id as "endpointId", e.secrets_encrypted as "secretsEncrypted",
      -- One row more than was claimed, read in order: otherwise all that wait for later would be read.
      (select count(*) from (
        select from webhook_deliveries
        where endpoint_id = ${endpointId} and is_pending and claim_token is null
        order by next_attempt_at limit (select count(*) + 1 from due)) w) = (select count(*) from due) as "isQueueEmpty"
    from claimed d cross join endpoint e
    join webhook_events v on v.id = d.event_id and v.organization_id = d.organization_id`;
}

/** Doesn't block transactions that only reference the row: events are stored for it concurrently. */
function lockEndpoint(tx: TransactionSql, endpointId: string) {
  return tx`select from webhook_endpoints where id = ${endpointId} for no key update`;
}

const KNOWN_MAX = 10_000;
const organizations = perServices(() => new Map<string, string>());

/** Returns the endpoint's organization, which never changes; null if there is no such endpoint. */
export async function organizationOf(services: Services, endpointId: string): Promise<string | null> {
  const known = organizations(services);
  const [row] = known.has(endpointId)
    ? []
    : await services.sql<{ organizationId: string }[]>`
        select organization_id as "organizationId" from webhook_endpoints where id = ${endpointId}`;
  if (row) {
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(endpointId, row.organizationId);
  }
  return known.get(endpointId) ?? null;
}

/** Returns whether it is disabled or removed. */
export async function isClosed({ sql }: Services, endpointId: string): Promise<boolean> {
  const rows = await sql`
    select from webhook_endpoints where id = ${endpointId} and (disabled_at is not null or deleted_at is not null)`;
  return rows.length > 0;
}

const SKIP_MAX = 1_000;

/**
 * Skips deliveries that still wait for a disabled or removed endpoint, one batch at a time, under the endpoint's lock. If the endpoint is enabled in the meantime, the remaining deliveries are due again.
 * @returns how many: there may be more. 0 if the endpoint accepts deliveries.
 */
export async function skipPending(services: Services, endpointId: string): Promise<number> {
  return services.sql.begin(async (tx) => {
    const [, skipped] = await Promise.all([
      lockEndpoint(tx, endpointId),
      tx`
        update webhook_deliveries set state = 'skipped', next_attempt_at = null, ended_at = clock_timestamp()
        where id in (
          select d.id from webhook_deliveries d
          where d.endpoint_id = ${endpointId} and d.is_pending and d.claim_token is null
            and exists (select from webhook_endpoints e
              where e.id = ${endpointId} and (e.disabled_at is not null or e.deleted_at is not null))
          order by d.next_attempt_at limit ${SKIP_MAX} for update skip locked)`,
    ]);
    return skipped.count;
  });
}

/**
 * Returns whether a delivery to the endpoint is due, and when its next future delivery becomes due, or its back-off
 * ends, by this process's clock. All that wait for a disabled or removed endpoint are due, to be skipped.
 */
export async function queueState(services: Services, endpointId: string): Promise<QueueState> {
  const [row] = await services.sql<{ hasDue: boolean; waitMs: number | null }[]>`
    with endpoint as (
      select id, disabled_at is not null or deleted_at is not null as is_closed,
        case when backoff_until > now() then backoff_until end as backoff_until
      from webhook_endpoints where id = ${endpointId}
    )
    select
      -- A case, so that the due deliveries of an endpoint that backs off aren't read.
      case
        when e.is_closed then exists (select from webhook_deliveries
          where endpoint_id = e.id and is_pending and claim_token is null)
        when e.backoff_until is null then exists (select from webhook_deliveries
          where endpoint_id = e.id and is_pending and claim_token is null and next_attempt_at <= now())
        else false end as "hasDue",
      (extract(epoch from greatest(
        (select next_attempt_at from webhook_deliveries
          where endpoint_id = e.id and is_pending and claim_token is null
            and next_attempt_at > case when e.backoff_until is not null then '-infinity' else now() end
          order by next_attempt_at limit 1),
        case when e.backoff_until is not null and exists (select from webhook_deliveries
          where endpoint_id = e.id and is_pending and claim_token is null) then e.backoff_until end
      ) - now()) * 1000)::float8 as "waitMs"
    from endpoint e`;
  return { hasDue: row?.hasDue ?? false, nextDueAt: fromNow(row?.waitMs ?? null) };
}

/** Returns endpoints with a due delivery that don't back off: one index probe per endpoint that has any. */
export async function dueEndpoints(services: Services): Promise<string[]> {
  const rows = await services.sql<{ endpointId: string }[]>`
    with recursive queues as (
      (select endpoint_id, next_attempt_at from webhook_deliveries
        where is_pending and claim_token is null
        order by endpoint_id, next_attempt_at limit 1)
      union all
      select n.endpoint_id, n.next_attempt_at from queues q, lateral (
        select endpoint_id, next_attempt_at from webhook_deliveries
        where is_pending and claim_token is null and endpoint_id > q.endpoint_id
        order by endpoint_id, next_attempt_at limit 1) n
    )
    select q.endpoint_id as "endpointId" from queues q
    join webhook_endpoints e on e.id = q.endpoint_id
    where e.disabled_at is not null or e.deleted_at is not null
      or (q.next_attempt_at <= now() and (e.backoff_until is null or e.backoff_until <= now()))`;
  return rows.map((row) => row.endpointId);
}

/** Maximum rows locked together. */
const RELEASE_MAX = 100;

/** Deliveries for which this process has a call in flight. */
export const deliveriesInFlight = createInFlight();

/**
 * Ends attempts of crashed processes, which may or may not have been delivered. Each is due again by the schedule.
 * Calls that this process is making itself aren't included.
 * @returns how many.
 */
export async function releaseExpiredDeliveries(services: Services): Promise<number> {
  const { count } = await services.sql`
    with expired as (
      select id, organization_id, attempts_ever from webhook_deliveries
      where is_pending and claim_token is not null and claimed_until < clock_timestamp()
        and id <> all(${deliveriesInFlight.ids(services)}::uuid[])
      order by id limit ${RELEASE_MAX} for update skip locked
    ), interrupted as (
      update webhook_attempts a set finished_at = clock_timestamp(), error_class = 'interrupted'
      from expired x
      where a.delivery_id = x.id and a.organization_id = x.organization_id and a.number = x.attempts_ever
        and a.finished_at is null
    )
    update webhook_deliveries d set claim_token = null, claimed_until = null,
      state = case when d.next_attempt_at is null then 'failed' else d.state end,
      ended_at = case when d.next_attempt_at is null then clock_timestamp() end
    from expired x where d.id = x.id`;
  if (count > 0) {
    services.metrics.count("waypost_webhook_attempts_total", { result: "interrupted" }, count);
    services.log.warn({ deliveries: count }, "attempts to deliver webhooks were interrupted");
  }
  return count;
}
