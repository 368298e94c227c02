import { desc } from "drizzle-orm";
import { z } from "zod";
import { webhookEndpoints } from "@/db/schema";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WEBHOOKS_KEPT_DAYS } from "@/server/domain/organizations/retention-days";
import { knownEndpoints } from "@/server/domain/webhooks/endpoints/endpoint";
import { isOnePeriod, ONE_PERIOD_RULE, periodFields, periodOf } from "./period";
import { hoursLater, pointsOf } from "./points";
import { readProgress } from "./progress";

export const summarizeWebhooksInput = z.strictObject(periodFields).refine(isOnePeriod, ONE_PERIOD_RULE);

type Input = z.output<typeof summarizeWebhooksInput>;

/** Maximum deliveries examined, of all endpoints together. */
const EXAMINED_MAX = 10_000;

/** The attempts to deliver the events of a period to an endpoint. Tests, and calls that were never made, don't count. */
interface Attempts {
  readonly attempts: number;
  /** Of these, those that the endpoint accepted. */
  readonly succeeded: number;
  /** Response times of all attempts, timeouts included. Null if there was none. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  /** If there were too many events, only those since then are counted; null if all are. */
  readonly examinedSince: Date | null;
}

export interface WebhookUsage extends Attempts {
  readonly id: string;
  readonly url: string;
  readonly description: string;
}

export interface WebhooksSummary {
  readonly since: Date;
  readonly until: Date;
  /** Earlier deliveries are deleted, so the counts start here; null if all of the period is kept. */
  readonly keptSince: Date | null;
  /** Endpoints with a URL, newest first. */
  readonly endpoints: readonly WebhookUsage[];
}

/**
 * Summarizes how the organization's webhook endpoints answered the events of a period. The cost is bounded: of many
 * events, only the newest of each endpoint are examined.
 * @throws WaypostError `permission_denied`; `validation_failed`.
 */
export async function summarizeWebhooks(
  { ctx, input }: { ctx: Context; input: Input },
  { examinedMax = EXAMINED_MAX } = {},
): Promise<WebhooksSummary> {
  requireMemberCapability(ctx.actor, "webhooks.manage");
  const { now } = await readProgress(ctx.services.sql, ctx.actor.organizationId);
  const points = pointsOf(periodOf(input, now), input.zone, now);
  const since = points.starts[0] ?? points.until;
  const kept = hoursLater(now, -24 * WEBHOOKS_KEPT_DAYS);
  const span = { since, until: points.until };
  const rows = await ctx.services.orm
    .select({ id: webhookEndpoints.id, url: webhookEndpoints.url, description: webhookEndpoints.description })
    .from(webhookEndpoints)
    .where(knownEndpoints(ctx))
    .orderBy(desc(webhookEndpoints.id));
  const endpoints = rows.flatMap(({ url, ...endpoint }) => (url === null ? [] : [{ ...endpoint, url }]));
  const perEndpoint = Math.floor(examinedMax / Math.max(1, endpoints.length));
  const ids = endpoints.map(({ id }) => id);
  const attemptsOf = new Map(
    (await readAttempts(ctx, ids, span, perEndpoint)).map(({ id, ...attempts }) => [id, attempts]),
  );
  return {
    ...span,
    keptSince: since < kept ? kept : null,
    endpoints: endpoints.map((endpoint) => ({ ...endpoint, ...(attemptsOf.get(endpoint.id) ?? NONE) })),
  };
}

const NONE: Attempts = { attempts: 0, succeeded: 0, p50Ms: null, p95Ms: null, examinedSince: null };

/** Each lateral subquery stays one, so that attempts are found by their index, whatever the statistics say. */
function readAttempts(
  { services: { sql }, actor: { organizationId } }: Context,
  endpointIds: readonly string[],
  { since, until }: { since: Date; until: Date },
  deliveriesMax: number,
): Promise<(Attempts & { id: string })[]> {
  return sql<(Attempts & { id: string })[]>`
    select e.id, count(a.started_at)::int as attempts,
      (count(*) filter (where a.started_at is not null and a.error_class is null))::int as succeeded,
      percentile_disc(0.5) within group (order by a.duration_ms) as "p50Ms",
      percentile_disc(0.95) within group (order by a.duration_ms) as "p95Ms",
      case when count(distinct d.id) >= ${deliveriesMax} then min(d.created_at) end as "examinedSince"
    from unnest(${[...endpointIds]}::uuid[]) as e (id)
    cross join lateral (
      select id, type, created_at from webhook_deliveries
      where endpoint_id = e.id and organization_id = ${organizationId}
        and created_at >= ${since} and created_at < ${until}
      order by created_at desc, id desc limit ${deliveriesMax}) d
    left join lateral (
      select started_at, duration_ms, error_class from webhook_attempts
      where delivery_id = d.id and organization_id = ${organizationId} and finished_at is not null
        and error_class is distinct from 'interrupted' and error_class is distinct from 'erased'
        and d.type <> 'webhook.test'
      offset 0) a on true
    group by e.id`;
}
