import type { TransactionSql } from "@/db/client";
import { retryOnConflict } from "@/db/errors";
import type { Services } from "../context";
import { isCandidate, isReplayed } from "./replay-rows";
import type { ReplayOnly } from "./replay-schemas";

export interface ReplayKey {
  readonly organizationId: string;
  readonly endpointId: string;
  readonly replayId: string;
}

interface Running {
  readonly only: ReplayOnly;
  readonly channelIds: string[] | null;
  /** PostgreSQL's text of times: a `Date` has no microseconds. */
  readonly until: string;
  readonly positionAt: string;
  readonly positionId: string;
  readonly begunAt: string;
}

/** Rows that a statement looks at. */
const BATCH_MAX = 1_000;
const NO_ID = "00000000-0000-0000-0000-000000000000";

/**
 * Puts the next deliveries of a replay back into the queue, and notes how far it got, in one transaction: whoever goes on
 * with it, and after whichever crash, begins behind them.
 * @returns whether nothing is left to do now: it is finished, or its endpoint is disabled or removed.
 */
export async function replayBatch(services: Services, key: ReplayKey): Promise<boolean> {
  const { isOver, count } = await retryOnConflict(() =>
    services.sql.begin(async (tx) => {
      const running = await lockReplay(tx, key);
      return running === undefined ? { isOver: true, count: 0 } : putBack(tx, key, running);
    }),
  );
  if (count > 0) services.jobs.wakeEndpoint(key.endpointId);
  return isOver;
}

async function lockReplay(
  tx: TransactionSql,
  { organizationId, endpointId, replayId }: ReplayKey,
): Promise<Running | undefined> {
  const [running] = await tx<Running[]>`
    select r."only", e.channel_ids as "channelIds", r.until::text as until, r.created_at::text as "begunAt",
      coalesce(r.position_at, r.since)::text as "positionAt", coalesce(r.position_id, ${NO_ID}) as "positionId"
    from webhook_replays r
    join webhook_endpoints e on e.id = r.endpoint_id and e.organization_id = r.organization_id
    where r.endpoint_id = ${endpointId} and r.replay_id = ${replayId} and r.organization_id = ${organizationId}
      and r.finished_at is null and e.disabled_at is null and e.deleted_at is null
    for no key update of r`;
  return running;
}

async function putBack(
  tx: TransactionSql,
  { organizationId, endpointId, replayId }: ReplayKey,
  running: Running,
) {
  const { only, channelIds, until, positionAt, positionId, begunAt } = running;
  const endpoint = { id: endpointId, organizationId, channelIds };
  const time = (text: string) => tx`${text}::text::timestamptz`;
  const [batch] = await tx<{ isOver: boolean; count: number }[]>`
    with examined as materialized (
      select d.id, d.created_at from webhook_deliveries d
      where ${isCandidate(tx, { endpoint, only })} and d.created_at < ${time(until)}
        and (d.created_at, d.id) > (${time(positionAt)}, ${positionId}::uuid)
      order by d.created_at, d.id limit ${BATCH_MAX}
    ), put as (
      update webhook_deliveries d set state = 'pending', attempts = 0, ended_at = null, next_attempt_at = clock_timestamp()
      from examined x
      where d.id = x.id and d.organization_id = ${organizationId}
        and ${isReplayed(tx, { endpoint, only, begunAt: time(begunAt) })}
      returning 1
    ), moved as (
      update webhook_replays r set position_at = x.created_at, position_id = x.id
      from (select id, created_at from examined order by created_at desc, id desc limit 1) x
      where r.endpoint_id = ${endpointId} and r.replay_id = ${replayId} and r.organization_id = ${organizationId}
    )
    select (select count(*) from examined) < ${BATCH_MAX} as "isOver", (select count(*) from put)::int as count`;
  if (!batch) throw new Error("A batch of a replay gave no row");
  if (batch.isOver) {
    await tx`
      update webhook_replays set finished_at = clock_timestamp()
      where endpoint_id = ${endpointId} and replay_id = ${replayId} and organization_id = ${organizationId}`;
  }
  return batch;
}
