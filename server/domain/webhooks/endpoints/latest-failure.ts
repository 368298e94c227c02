import type { WebhookErrorClass } from "@/db/schema";
import type { Context } from "@/server/core/context";
import type { Endpoint } from "./endpoint";

export interface LatestFailure {
  readonly deliveryId: string;
  readonly errorClass: WebhookErrorClass;
  readonly httpStatus: number | null;
  readonly startedAt: Date;
}

/** Maximum deliveries examined of each kind: the cost is bounded, however many there are. */
const EXAMINED_MAX = 500;

/**
 * Finds the endpoint's latest failure, among the deliveries with the longest wait for their next attempt and those
 * given up or skipped last. Ignores tests.
 */
export async function latestFailure(
  { services: { sql } }: Context,
  { id, organizationId }: Endpoint,
): Promise<LatestFailure | null> {
  const own = sql`endpoint_id = ${id} and organization_id = ${organizationId}`;
  const [failure] = await sql<LatestFailure[]>`
    with examined as (
      (select id, type, last_attempt_at from webhook_deliveries
        where ${own} and is_pending and claim_token is null order by next_attempt_at desc limit ${EXAMINED_MAX})
      union all
      (select id, type, last_attempt_at from webhook_deliveries
        where ${own} and state = 'failed' order by created_at desc, id desc limit ${EXAMINED_MAX})
      union all
      (select id, type, last_attempt_at from webhook_deliveries
        where ${own} and state = 'skipped' order by created_at desc, id desc limit ${EXAMINED_MAX})
    )
    select a.delivery_id as "deliveryId", a.error_class as "errorClass", a.http_status as "httpStatus",
      a.started_at as "startedAt"
    from examined d
    join webhook_attempts a on a.delivery_id = d.id and a.organization_id = ${organizationId}
    where d.last_attempt_at is not null and d.type <> 'webhook.test' and a.error_class is not null
    order by a.started_at desc limit 1`;
  return failure ?? null;
}
