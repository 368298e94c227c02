import type { Executor, SqlFragment } from "@/db/client";
import type { Endpoint } from "./endpoint";
import { isOfChannels } from "./of-channels";
import type { ReplayOnly } from "./replay-schemas";

/** Which deliveries a replay puts back into the queue, beside the time of their events. */
export interface ReplayedRows {
  readonly endpoint: Pick<Endpoint, "id" | "organizationId" | "channelIds">;
  readonly only: ReplayOnly;
  /** What ended later isn't put back again. */
  readonly begunAt: SqlFragment;
}

/** In the statement's text, as an index has those of each that it is asked for. */
const STATES = {
  failed: "d.state = 'failed'",
  skipped: "d.state = 'skipped'",
  all: "d.state in ('delivered', 'failed', 'skipped')",
} as const satisfies Record<ReplayOnly, string>;

/** Of deliveries under the name `d`, those that may be looked at for it. */
export function isCandidate(
  sql: Executor,
  { endpoint, only }: Pick<ReplayedRows, "endpoint" | "only">,
): SqlFragment {
  return sql`d.endpoint_id = ${endpoint.id} and d.organization_id = ${endpoint.organizationId}
    and ${sql.unsafe(STATES[only])}`;
}

/**
 * Of those, the ones that are put back: no tests, none whose content was erased, and none of a channel that the endpoint is
 * not told of any more.
 */
export function isReplayed(sql: Executor, { endpoint, only, begunAt }: ReplayedRows): SqlFragment {
  const { channelIds } = endpoint;
  return sql`${sql.unsafe(STATES[only])} and d.type <> 'webhook.test'
    and coalesce(d.ended_at, d.created_at) <= ${begunAt}
    and (d.type <> 'message.received' or exists (select from webhook_events v
      where v.id = d.event_id and v.organization_id = d.organization_id and v.body is not null))
    and ${channelIds === null ? sql`true` : isOfChannels(sql, sql`${channelIds}::uuid[]`)}`;
}
