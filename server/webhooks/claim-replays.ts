import type { Sql } from "@/db/client";
import type { Services } from "../context";
import { replayBatch, type ReplayKey } from "./replay-batch";

const WORK_MS_MAX = 5_000;
const RUNNING_MAX = 100;

/**
 * Goes on with replays, of any organization, that whoever asked for them didn't wait for: a batch of each in turn, for a few
 * seconds. Several processes may do so at once.
 */
export async function continueReplays(services: Services): Promise<void> {
  const endsAtMs = performance.now() + WORK_MS_MAX;
  let running = await runningReplays(services.sql);
  while (running.length > 0) {
    const left: ReplayKey[] = [];
    for (const key of running) {
      if (services.isStopping() || performance.now() > endsAtMs) return;
      if (!(await replayBatch(services, key))) left.push(key);
    }
    running = left;
  }
}

/** The oldest first; those of endpoints that are disabled wait. */
async function runningReplays(sql: Sql): Promise<ReplayKey[]> {
  return sql<ReplayKey[]>`
    select r.organization_id as "organizationId", r.endpoint_id as "endpointId", r.replay_id as "replayId"
    from webhook_replays r
    join webhook_endpoints e on e.id = r.endpoint_id and e.organization_id = r.organization_id
    where r.finished_at is null and e.disabled_at is null and e.deleted_at is null
    order by r.created_at limit ${RUNNING_MAX}`;
}
