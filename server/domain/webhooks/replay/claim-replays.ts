import type { Sql } from "@/db/client";
import { isDatabaseUnavailable } from "@/db/errors";
import type { Services } from "@/server/core/context";
import { replayBatch, type ReplayKey } from "./replay-batch";

/** Including the last batch, it stays below the limit of a sweep step. */
const WORK_MS_MAX = 1_000;
const RUNNING_MAX = 100;

/**
 * Continues replays of all organizations whose caller is no longer waiting: one batch each in turn, for a second.
 * Several processes may do so concurrently. Replays that wait for room continue together with the deliveries that make
 * it.
 */
export async function continueReplays(services: Services): Promise<void> {
  const endsAtMs = performance.now() + WORK_MS_MAX;
  let running = await runningReplays(services.sql);
  while (running.length > 0) ({ left: running } = await takeTurn(services, running, endsAtMs));
}

/** Returns the unfinished replays of one endpoint; none if it is disabled or removed. */
export function runningReplaysOf(sql: Sql, endpointId: string): Promise<ReplayKey[]> {
  return sql<ReplayKey[]>`
    ${running(sql)} and r.endpoint_id = ${endpointId} order by r.created_at limit ${RUNNING_MAX}`;
}

/** In any order, so that replays that have to wait aren't always first. */
function runningReplays(sql: Sql): Promise<ReplayKey[]> {
  return sql<ReplayKey[]>`${running(sql)} order by random() limit ${RUNNING_MAX}`;
}

const running = (sql: Sql) => sql`
  select r.organization_id as "organizationId", r.endpoint_id as "endpointId", r.replay_id as "replayId"
  from webhook_replays r
  join webhook_endpoints e on e.id = r.endpoint_id and e.organization_id = r.organization_id
  where r.finished_at is null and e.disabled_at is null and e.deleted_at is null`;

/**
 * Runs a batch of each. A failing one is logged and blocks no other.
 * @returns those that have more to do immediately, none after that time; those that failed; how many deliveries were
 * requeued.
 */
export async function takeTurn(
  services: Services,
  keys: readonly ReplayKey[],
  endsAtMs: number,
): Promise<{ left: ReplayKey[]; failed: ReplayKey[]; count: number }> {
  const left: ReplayKey[] = [];
  const failed: ReplayKey[] = [];
  let count = 0;
  for (const key of keys) {
    if (services.lifecycle.isStopping() || performance.now() > endsAtMs) return { left: [], failed, count };
    try {
      const batch = await replayBatch(services, key);
      count += batch.count;
      if (batch.standing === "more") left.push(key);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      services.log.error({ err: error, ...key }, "a webhook replay was interrupted");
      failed.push(key);
    }
  }
  return { left, failed, count };
}
