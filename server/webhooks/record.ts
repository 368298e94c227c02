import type { TransactionSql } from "@/db/client";
import { retryOnConflict } from "@/db/errors";
import type { WebhookErrorClass } from "@/db/schema";
import type { Services } from "../context";
import type { ClaimedDelivery } from "./claim";
import { retryDelaySeconds } from "./schedule";
import { storeHealth } from "./store-health";
import type { Verdict } from "./verdict";

/** What an attempt came to. */
export interface DeliveryResult {
  readonly delivery: Pick<
    ClaimedDelivery,
    "id" | "organizationId" | "endpointId" | "claimToken" | "attempts" | "number" | "startedAt"
  >;
  readonly verdict: Verdict;
  /** Whether the schedule goes on after a failure; a test is tried once. */
  readonly isRetried: boolean;
}

/**
 * Stores what attempts came to, and what that says of their endpoints, together. A success counts also where the claim
 * has run out meanwhile; a failure only while it holds. Idempotent.
 */
export async function recordDeliveries(
  services: Services,
  results: readonly DeliveryResult[],
): Promise<void> {
  await retryOnConflict(() =>
    services.sql.begin(async (tx) => {
      // Sent together, run in this order: deliveries are locked before their attempts, as by whoever ends claims.
      await Promise.all([endDeliveries(tx, results), endAttempts(tx, results)]);
      await storeHealth(tx, services, results.filter(tellsOfEndpoint));
    }),
  );
  countAttempts(services, results);
}

function countAttempts({ metrics }: Services, results: readonly DeliveryResult[]): void {
  for (const { verdict } of results) {
    metrics.count("waypost_webhook_attempts_total", { result: verdict.errorClass ?? "delivered" });
    if (verdict.errorClass !== "erased")
      metrics.observe("waypost_webhook_attempt_duration_seconds", {}, verdict.durationMs / 1000);
  }
}

/** A test that fails is no sign of how the endpoint fares, and what isn't called for neither; one that succeeds is. */
function tellsOfEndpoint({ verdict, isRetried }: DeliveryResult): boolean {
  return verdict.errorClass === null || (isRetried && verdict.errorClass !== "erased");
}

async function endAttempts(tx: TransactionSql, results: readonly DeliveryResult[]): Promise<void> {
  const column = <T>(pick: (result: DeliveryResult) => T): T[] => results.map(pick);
  await tx`
    update webhook_attempts a set finished_at = clock_timestamp(), duration_ms = r.duration_ms,
      http_status = r.http_status, error_class = r.error_class, answer = r.answer
    from unnest(
      ${column(({ delivery }) => delivery.organizationId)}::uuid[], ${column(({ delivery }) => delivery.id)}::uuid[],
      ${column(({ delivery }) => delivery.number)}::int[],
      ${column(({ verdict }) => Math.round(verdict.durationMs))}::int[],
      ${column(({ verdict }) => verdict.httpStatus)}::int[], ${column(({ verdict }) => verdict.errorClass)}::text[],
      ${column(({ verdict }) => verdict.answer || null)}::text[]
    ) as r (organization_id, delivery_id, number, duration_ms, http_status, error_class, answer)
    where a.delivery_id = r.delivery_id and a.organization_id = r.organization_id and a.number = r.number`;
}

async function endDeliveries(tx: TransactionSql, results: readonly DeliveryResult[]): Promise<void> {
  const column = <T>(pick: (result: DeliveryResult) => T): T[] => results.map(pick);
  await tx`
    with ended as materialized (
      select d.id, r.is_delivered::boolean as is_delivered,
        -- Who asked for it again while it ran begins its schedule anew.
        case when d.attempts < r.attempts then coalesce(r.wait_seconds, r.again_seconds) else r.wait_seconds end as wait_seconds
      from unnest(
        ${column(({ delivery }) => delivery.organizationId)}::uuid[], ${column(({ delivery }) => delivery.id)}::uuid[],
        ${column(({ delivery }) => delivery.claimToken)}::uuid[], ${column(({ delivery }) => delivery.attempts)}::int[],
        ${column(({ verdict }) => String(verdict.errorClass === null))}::text[],
        ${column((result) => waitSeconds(result, result.delivery.attempts))}::float8[],
        ${column((result) => waitSeconds(result, 1))}::float8[]
      ) as r (organization_id, id, claim_token, attempts, is_delivered, wait_seconds, again_seconds)
      join webhook_deliveries d on d.id = r.id and d.organization_id = r.organization_id
      where d.is_pending and (d.claim_token = r.claim_token or r.is_delivered::boolean)
      order by d.id for no key update of d
    )
    update webhook_deliveries d set claim_token = null, claimed_until = null,
      state = case when e.is_delivered then 'delivered' when e.wait_seconds is null then 'failed' else 'pending' end,
      next_attempt_at = clock_timestamp() + make_interval(secs => e.wait_seconds),
      ended_at = case when e.wait_seconds is null then clock_timestamp() end
    from ended e where d.id = e.id`;
}

/** Nothing would come of another attempt. */
const FINAL: readonly WebhookErrorClass[] = ["gone", "erased"];

/** After so many attempts. Null: it is over. */
function waitSeconds({ verdict, isRetried }: DeliveryResult, attempts: number): number | null {
  if (!isRetried || verdict.errorClass === null || FINAL.includes(verdict.errorClass)) return null;
  return retryDelaySeconds(attempts, verdict);
}
