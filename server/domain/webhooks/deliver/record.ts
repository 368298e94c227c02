import type { Executor, TransactionSql } from "@/db/client";
import { retryOnConflict } from "@/db/errors";
import type { WebhookErrorClass } from "@/db/schema";
import type { Services } from "@/server/core/context";
import type { ClaimedDelivery } from "./claim";
import { retryDelaySeconds } from "../endpoints/schedule";
import { storeHealth } from "../endpoints/store-health";
import type { AttemptResult } from "../endpoints/attempt-result";

/** The result of an attempt. */
export interface DeliveryResult {
  readonly delivery: Pick<
    ClaimedDelivery,
    "id" | "organizationId" | "endpointId" | "claimToken" | "attempts" | "number" | "startedAt"
  >;
  readonly attemptResult: AttemptResult;
  /** Whether the schedule continues after a failure; a test is tried once. */
  readonly isRetried: boolean;
}

/**
 * Stores the results of attempts, and their effect on the endpoints' health, in one transaction. A success also counts
 * if the claim has expired in the meantime and the delivery was given up or skipped; a failure only while the claim
 * holds. Idempotent.
 */
export async function recordDeliveries(
  services: Services,
  results: readonly DeliveryResult[],
): Promise<void> {
  const areSuccesses = results.every(
    ({ attemptResult }) => attemptResult.errorClass === null && !attemptResult.answer,
  );
  if (!areSuccesses || !(await endIfHealthy(services, results))) await endInTransaction(services, results);
  countAttempts(services, results);
}

/**
 * Stores successes that change no endpoint's health: one statement, without a transaction around it.
 * @returns false if it stored nothing, because an endpoint has failed before.
 */
async function endIfHealthy({ sql }: Services, successes: readonly DeliveryResult[]): Promise<boolean> {
  const failedBefore = await retryOnConflict(() => endAttempts(sql, successes, { onlyIfHealthy: true }));
  return failedBefore.size === 0;
}

async function endInTransaction(services: Services, results: readonly DeliveryResult[]): Promise<void> {
  const warn = await retryOnConflict(() =>
    services.sql.begin(async (tx) => {
      const failedBefore = await endAttempts(tx, await answersKept(tx, results));
      const trials = results.filter(showsEndpointHealth);
      const failing = new Set(
        trials.flatMap(({ delivery, attemptResult }) =>
          attemptResult.errorClass === null ? [] : delivery.endpointId,
        ),
      );
      const changing = ({ delivery: { endpointId } }: DeliveryResult) =>
        failing.has(endpointId) || failedBefore.has(endpointId);
      return storeHealth(tx, services, trials.filter(changing));
    }),
  );
  warn();
}

function countAttempts({ metrics }: Services, results: readonly DeliveryResult[]): void {
  for (const { attemptResult } of results) {
    metrics.count("waypost_webhook_attempts_total", { result: attemptResult.errorClass ?? "delivered" });
    if (attemptResult.errorClass !== "erased")
      metrics.observe("waypost_webhook_attempt_duration_seconds", {}, attemptResult.durationMs / 1000);
  }
}

/**
 * Returns whether a result counts for the endpoint's health. A failed test doesn't, nor does a delivery without a call;
 * a successful test does.
 */
function showsEndpointHealth({ attemptResult, isRetried }: DeliveryResult): boolean {
  return attemptResult.errorClass === null || (isRetried && attemptResult.errorClass !== "erased");
}

/**
 * Removes from the results those responses that could repeat content erased in the meantime. Locks the messages, and
 * the events about contacts: a later erasure waits, and then finds the response.
 */
async function answersKept(
  tx: TransactionSql,
  results: readonly DeliveryResult[],
): Promise<readonly DeliveryResult[]> {
  const answered = results
    .filter(({ attemptResult }) => attemptResult.answer)
    .map(({ delivery }) => delivery);
  if (answered.length === 0) return results;
  const erased = await tx<{ id: string }[]>`
    with answered as materialized (
      select d.id, v.id as event_id, v.message_id, v.contact_id, d.organization_id
      from unnest(
        ${answered.map(({ id }) => id)}::uuid[], ${answered.map(({ organizationId }) => organizationId)}::uuid[]
      ) as r (id, organization_id)
      join webhook_deliveries d on d.id = r.id and d.organization_id = r.organization_id
      join webhook_events v on v.id = d.event_id and v.organization_id = d.organization_id
    ), locked_messages as materialized (
      select m.id, m.erased_at from messages m
      where (m.id, m.organization_id) in (select message_id, organization_id from answered)
      order by m.id for key share
    ), locked_events as materialized (
      select v.id, v.body from webhook_events v
      where (v.id, v.organization_id) in (select event_id, organization_id from answered where contact_id is not null)
      order by v.id for key share
    )
    select t.id from answered t join locked_messages m on m.id = t.message_id where m.erased_at is not null
    union all
    select t.id from answered t join locked_events v on v.id = t.event_id where v.body is null`;
  const gone = new Set(erased.map(({ id }) => id));
  return results.map((result) =>
    gone.has(result.delivery.id)
      ? { ...result, attemptResult: { ...result.attemptResult, answer: null } }
      : result,
  );
}

/**
 * Ends deliveries and their attempts. Deliveries are locked before their attempts, as in the code that ends claims.
 * @param options.onlyIfHealthy if an endpoint has failed before, nothing is ended.
 * @returns ids of the endpoints with earlier failures, which a success may end.
 */
async function endAttempts(
  sql: Executor,
  results: readonly DeliveryResult[],
  { onlyIfHealthy }: { onlyIfHealthy: boolean } = { onlyIfHealthy: false },
): Promise<ReadonlySet<string>> {
  const column = <T>(pick: (result: DeliveryResult) => T): T[] => results.map(pick);
  const rows = await sql<{ id: string }[]>`
    with results as materialized (
      select * from unnest(
        ${column(({ delivery }) => delivery.organizationId)}::uuid[],
        ${column(({ delivery }) => delivery.endpointId)}::uuid[], ${column(({ delivery }) => delivery.id)}::uuid[],
        ${column(({ delivery }) => delivery.claimToken)}::uuid[], ${column(({ delivery }) => delivery.attempts)}::int[],
        ${column(({ delivery }) => delivery.number)}::int[],
        ${column(({ attemptResult }) => String(attemptResult.errorClass === null))}::text[],
        ${column((result) => waitSeconds(result, result.delivery.attempts))}::float8[],
        ${column((result) => waitSeconds(result, 1))}::float8[],
        ${column(({ attemptResult }) => Math.round(attemptResult.durationMs))}::int[],
        ${column(({ attemptResult }) => attemptResult.httpStatus)}::int[],
        ${column(({ attemptResult }) => attemptResult.errorClass)}::text[],
        ${column(({ attemptResult }) => attemptResult.answer || null)}::text[]
      ) as r (organization_id, endpoint_id, id, claim_token, attempts, number, is_delivered, wait_seconds, again_seconds, duration_ms,
        http_status, error_class, answer)
    ), failed_before as materialized (
      select e.id from webhook_endpoints e
      where (e.id, e.organization_id) in (select endpoint_id, organization_id from results)
        and (e.failing_since is not null or e.backoff_streak > 0)
    ), locked as materialized (
      select d.id, d.organization_id, d.endpoint_id, r.is_delivered::boolean as is_delivered,
        (d.is_pending and d.claim_token = r.claim_token) or (r.is_delivered::boolean and d.state <> 'delivered') as is_ended,
        -- Who asked for it again while it ran begins its schedule anew.
        case when d.attempts < r.attempts then coalesce(r.wait_seconds, r.again_seconds) else r.wait_seconds end as wait_seconds
      from results r join webhook_deliveries d on d.id = r.id and d.organization_id = r.organization_id
      where not (${onlyIfHealthy} and exists (select from failed_before))
      order by d.id for no key update of d
    ), ended as (
      update webhook_deliveries d set claim_token = null, claimed_until = null,
        state = case when e.is_delivered then 'delivered' when e.wait_seconds is null then 'failed' else 'pending' end,
        next_attempt_at = clock_timestamp() + make_interval(secs => e.wait_seconds),
        ended_at = case when e.wait_seconds is null then clock_timestamp() end
      from locked e where d.id = e.id and e.is_ended
    ), noted as (
      update webhook_attempts a set finished_at = clock_timestamp(), duration_ms = r.duration_ms,
        http_status = r.http_status, error_class = r.error_class, answer = r.answer
      from results r join locked l on l.id = r.id and l.organization_id = r.organization_id
      where a.delivery_id = r.id and a.organization_id = r.organization_id and a.number = r.number
    )
    select id from failed_before`;
  return new Set(rows.map(({ id }) => id));
}

/** Another attempt would have the same result. */
const FINAL: readonly WebhookErrorClass[] = ["gone", "erased"];

/** The wait after that many attempts; null if there is no further one. */
function waitSeconds({ attemptResult, isRetried }: DeliveryResult, attempts: number): number | null {
  if (!isRetried || attemptResult.errorClass === null || FINAL.includes(attemptResult.errorClass))
    return null;
  return retryDelaySeconds(attempts, attemptResult);
}
