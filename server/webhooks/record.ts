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
      // Sent together, run in this order.
      await Promise.all([endAttempts(tx, results), endDeliveries(tx, results)]);
      await storeHealth(tx, services, results.filter(tellsOfEndpoint));
    }),
  );
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
    update webhook_deliveries d set claim_token = null, claimed_until = null,
      state = case when r.is_delivered::boolean then 'delivered' when r.wait_seconds is null then 'failed' else d.state end,
      next_attempt_at = clock_timestamp() + make_interval(secs => r.wait_seconds),
      ended_at = case when r.wait_seconds is null then clock_timestamp() end
    from unnest(
      ${column(({ delivery }) => delivery.organizationId)}::uuid[], ${column(({ delivery }) => delivery.id)}::uuid[],
      ${column(({ delivery }) => delivery.claimToken)}::uuid[],
      ${column(({ verdict }) => String(verdict.errorClass === null))}::text[], ${column(waitSeconds)}::float8[]
    ) as r (organization_id, id, claim_token, is_delivered, wait_seconds)
    where d.id = r.id and d.organization_id = r.organization_id and d.is_pending
      and (d.claim_token = r.claim_token or r.is_delivered::boolean)`;
}

/** Nothing would come of another attempt. */
const FINAL: readonly WebhookErrorClass[] = ["gone", "erased"];

/** Null: it is over. */
function waitSeconds({ delivery, verdict, isRetried }: DeliveryResult): number | null {
  if (!isRetried || verdict.errorClass === null || FINAL.includes(verdict.errorClass)) return null;
  return retryDelaySeconds(delivery.attempts, verdict);
}
