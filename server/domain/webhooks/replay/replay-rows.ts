import type { Executor, SqlFragment } from "@/db/client";
import type { Endpoint } from "../endpoints/endpoint";
import { NAMING_EVENT_TYPES } from "../outbox/subject";
import { isOfChannels } from "../deliver/select-deliveries";
import type { ReplayOnly } from "./replay-schemas";

/** The deliveries that a replay requeues, in addition to the time of their events. */
export interface ReplayedRows {
  readonly endpoint: Pick<Endpoint, "id" | "organizationId" | "channelIds">;
  readonly only: ReplayOnly;
  /** Deliveries that ended later aren't requeued again. */
  readonly begunAt: SqlFragment;
}

/** Part of the statement's text, not a parameter, so that PostgreSQL can use the partial index over `failed` and `skipped`. */
const RANGES = {
  failed: "d.state = 'failed'",
  skipped: "d.state = 'skipped'",
  all: "true",
} as const satisfies Record<ReplayOnly, string>;

const STATES = {
  failed: "d.state = 'failed'",
  skipped: "d.state = 'skipped'",
  all: "d.state in ('delivered', 'failed', 'skipped')",
} as const satisfies Record<ReplayOnly, string>;

/** SQL: deliveries under the name `d` to examine: a range of an index, so that a limit bounds the work. */
export function isCandidate(
  sql: Executor,
  { endpoint, only }: Pick<ReplayedRows, "endpoint" | "only">,
): SqlFragment {
  return sql`d.endpoint_id = ${endpoint.id} and d.organization_id = ${endpoint.organizationId}
    and ${sql.unsafe(RANGES[only])}`;
}

/**
 * SQL: the ones among them to requeue: no tests, none with erased content, and none of a channel that the endpoint no
 * longer receives.
 */
export function isReplayed(sql: Executor, { endpoint, only, begunAt }: ReplayedRows): SqlFragment {
  const { channelIds } = endpoint;
  return sql`${sql.unsafe(STATES[only])} and d.type <> 'webhook.test'
    and coalesce(d.ended_at, d.created_at) <= ${begunAt}
    -- As a value: an "exists" may be answered by reading every event there is.
    and (d.type <> all(${[...NAMING_EVENT_TYPES]}::text[]) or coalesce((select v.body is not null from webhook_events v
      where v.id = d.event_id and v.organization_id = d.organization_id), false))
    and ${channelIds === null ? sql`true` : isOfChannels(sql, sql`${channelIds}::uuid[]`)}`;
}
