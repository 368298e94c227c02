import { z } from "zod";
import { WEBHOOK_ERROR_CLASSES, type WebhookErrorClass } from "@/db/schema";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { moment } from "@/server/domain/messages/model/schemas";
import { type Endpoint, endpointShape, readEndpoint } from "./endpoints/endpoint";
import { DISABLE_AFTER_MS } from "./endpoints/health";
import { isCandidate, isReplayed } from "./replay/replay-rows";
import { type webhookInput, webhookOutput } from "./endpoints/schemas";

/** Larger counts are reported as "more". */
const COUNTED_MAX = 1_000;
/** Maximum rows examined for a count: a page polls every few seconds, and few of many skipped ones may match. */
const EXAMINED_MAX = 2_000;

/** Maximum deliveries examined of each kind: the cost is bounded, however many there are. */
const DELIVERIES_EXAMINED_MAX = 500;

const counted = z.object({ count: z.int(), is_more: z.boolean() });

export const webhookInspection = webhookOutput.extend({
  /**
   * When the endpoint is disabled unless a delivery succeeds before; null if it doesn't fail, or is already disabled.
   */
  disabling_at: moment.nullable(),
  /** For an endpoint that fails or was disabled because of that; null if unknown. */
  latest_failure: z
    .object({
      delivery_id: z.guid(),
      error_class: z.enum(WEBHOOK_ERROR_CLASSES),
      http_status: z.int().nullable(),
      started_at: moment,
    })
    .nullable(),
  /** No attempt is made before this time. Then a single attempt is made. Null if the endpoint doesn't back off. */
  backoff_until: moment.nullable(),
  /** Deliveries that wait for their next attempt. */
  waiting: counted,
  /** Skipped deliveries that a replay would send, with the time of the first one. */
  skipped: counted.extend({ since: moment.nullable() }),
});

export type WebhookInspection = z.infer<typeof webhookInspection>;

interface Backlog {
  readonly backoffUntil: Date | null;
  readonly waiting: number;
  readonly skipped: number;
  readonly areMoreSkipped: boolean;
  readonly skippedSince: Date | null;
}

/**
 * Returns a webhook endpoint as its own page shows it: with its waiting deliveries, and those skipped while it was
 * disabled.
 * @throws WaypostError `permission_denied`; `webhook_not_found`.
 */
export async function inspectWebhook(args: {
  ctx: Context;
  input: z.output<typeof webhookInput>;
}): Promise<WebhookInspection> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "webhooks.manage");
  const endpoint = await readEndpoint(ctx, input.id);
  const [{ backoffUntil, waiting, skipped, areMoreSkipped, skippedSince }, failure] = await Promise.all([
    readBacklogCounts(ctx, endpoint),
    endpoint.failingSince === null ? null : latestFailure(ctx, endpoint),
  ]);
  return {
    ...endpointShape(endpoint),
    disabling_at: disablingAt(endpoint)?.toISOString() ?? null,
    latest_failure: failure && {
      delivery_id: failure.deliveryId,
      error_class: failure.errorClass,
      http_status: failure.httpStatus,
      started_at: failure.startedAt.toISOString(),
    },
    backoff_until: backoffUntil?.toISOString() ?? null,
    waiting: capped(waiting),
    skipped: { ...capped(skipped, areMoreSkipped), since: skippedSince?.toISOString() ?? null },
  };
}

function disablingAt({ failingSince, disabledAt }: Endpoint): Date | null {
  if (failingSince === null || disabledAt !== null) return null;
  return new Date(failingSince.getTime() + DISABLE_AFTER_MS);
}

interface LatestFailure {
  readonly deliveryId: string;
  readonly errorClass: WebhookErrorClass;
  readonly httpStatus: number | null;
  readonly startedAt: Date;
}

/**
 * Finds the endpoint's latest failure, among the deliveries with the longest wait for their next attempt and those
 * given up or skipped last. Ignores tests.
 */
async function latestFailure(
  { services: { sql } }: Context,
  { id, organizationId }: Endpoint,
): Promise<LatestFailure | null> {
  const own = sql`endpoint_id = ${id} and organization_id = ${organizationId}`;
  const [failure] = await sql<LatestFailure[]>`
    with examined as (
      (select id, type, last_attempt_at from webhook_deliveries
        where ${own} and is_pending and claim_token is null order by next_attempt_at desc limit ${DELIVERIES_EXAMINED_MAX})
      union all
      (select id, type, last_attempt_at from webhook_deliveries
        where ${own} and state = 'failed' order by created_at desc, id desc limit ${DELIVERIES_EXAMINED_MAX})
      union all
      (select id, type, last_attempt_at from webhook_deliveries
        where ${own} and state = 'skipped' order by created_at desc, id desc limit ${DELIVERIES_EXAMINED_MAX})
    )
    select a.delivery_id as "deliveryId", a.error_class as "errorClass", a.http_status as "httpStatus",
      a.started_at as "startedAt"
    from examined d
    join webhook_attempts a on a.delivery_id = d.id and a.organization_id = ${organizationId}
    where d.last_attempt_at is not null and d.type <> 'webhook.test' and a.error_class is not null
    order by a.started_at desc limit 1`;
  return failure ?? null;
}

/** Each count stops at its maximum plus one. */
async function readBacklogCounts({ services: { sql } }: Context, endpoint: Endpoint): Promise<Backlog> {
  const { id, organizationId } = endpoint;
  const rows = { endpoint, only: "skipped", begunAt: sql`now()` } as const;
  const [backlog] = await sql<Backlog[]>`
    select
      (select backoff_until from webhook_endpoints
        where id = ${id} and organization_id = ${organizationId} and backoff_streak > 0 and backoff_until > now()
      ) as "backoffUntil",
      (select count(*)::int from (
        select from webhook_deliveries
        where endpoint_id = ${id} and organization_id = ${organizationId} and is_pending and claim_token is null
        limit ${COUNTED_MAX + 1}) w) as waiting,
      s.skipped, s.examined > ${EXAMINED_MAX} as "areMoreSkipped",
      (select created_at from webhook_deliveries d where ${isCandidate(sql, rows)}
        order by created_at limit 1) as "skippedSince"
    from (
      select count(*)::int as examined, (count(*) filter (where ${isReplayed(sql, rows)}))::int as skipped
      from (select d.* from webhook_deliveries d where ${isCandidate(sql, rows)}
        order by d.created_at desc, d.id desc limit ${EXAMINED_MAX + 1}) d) s`;
  if (!backlog) throw new Error("A count gave no row");
  return backlog;
}

function capped(found: number, areMore = false): { count: number; is_more: boolean } {
  return { count: Math.min(found, COUNTED_MAX), is_more: areMore || found > COUNTED_MAX };
}
