import type { TransactionSql } from "@/db/client";
import { retryOnConflict } from "@/db/errors";
import type { Services } from "@/server/core/context";
import { NIL_UUID } from "@/server/lib/uuid";
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

/**
 * Replays add to an endpoint's due deliveries up to this number. New events queue after the due ones, and must not wait
 * for a replay's end.
 */
export const DUE_MAX = 1_000;
/** With more due deliveries, a batch isn't worthwhile. */
const DUE_LOW = 500;

/**
 * `over`: the replay is finished, or its endpoint disabled or removed. `full`: it waits until fewer deliveries are due.
 * `more`: it has more to do.
 */
export type ReplayProgress = "over" | "full" | "more";

interface Batch {
  readonly standing: ReplayProgress;
  /** Deliveries that were requeued. */
  readonly count: number;
}

/**
 * Requeues the next deliveries of a replay, as many as there is room for, and stores its progress, in one transaction:
 * the next batch starts after them, in any process and after any crash.
 */
export async function replayBatch(services: Services, key: ReplayKey): Promise<Batch> {
  const batch = await retryOnConflict(() =>
    services.sql.begin(async (tx): Promise<Batch> => {
      await lockReplaysOf(tx, key);
      const running = await lockReplay(tx, key);
      if (running === undefined) return { standing: "over", count: 0 };
      const due = await countDue(tx, key);
      return due > DUE_LOW ? { standing: "full", count: 0 } : putBack(tx, key, running, DUE_MAX - due);
    }),
  );
  if (batch.count > 0) services.jobs.notifyEndpoint(key.endpointId);
  return batch;
}

/** One lock per endpoint, so that concurrent replays don't add up. Not the endpoint's row lock: its claims continue. */
async function lockReplaysOf(tx: TransactionSql, { endpointId }: ReplayKey): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`webhook-replays:${endpointId}`}, 0))`;
}

/** Counts up to the limit. The time is read once, after the lock, so that the statement can use an index. */
async function countDue(tx: TransactionSql, { organizationId, endpointId }: ReplayKey): Promise<number> {
  const [row] = await tx<{ due: number }[]>`
    select count(*)::int as due from (
      select from webhook_deliveries
      where endpoint_id = ${endpointId} and organization_id = ${organizationId} and is_pending and claim_token is null
        and next_attempt_at <= (select clock_timestamp())
      limit ${DUE_MAX}) d`;
  return row?.due ?? 0;
}

async function lockReplay(
  tx: TransactionSql,
  { organizationId, endpointId, replayId }: ReplayKey,
): Promise<Running | undefined> {
  const [running] = await tx<Running[]>`
    select r."only", e.channel_ids as "channelIds", r.until::text as until, r.created_at::text as "begunAt",
      coalesce(r.position_at, r.since)::text as "positionAt", coalesce(r.position_id, ${NIL_UUID}) as "positionId"
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
  rowsMax: number,
): Promise<Batch> {
  const { only, channelIds, until, positionAt, positionId, begunAt } = running;
  const endpoint = { id: endpointId, organizationId, channelIds };
  const time = (text: string) => tx`${text}::text::timestamptz`;
  const [batch] = await tx<{ isOver: boolean; count: number }[]>`
    with examined as materialized (
      select d.id, d.created_at from webhook_deliveries d
      where ${isCandidate(tx, { endpoint, only })} and d.created_at < ${time(until)}
        and (d.created_at, d.id) > (${time(positionAt)}, ${positionId}::uuid)
      order by d.created_at, d.id limit ${rowsMax}
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
    select (select count(*) from examined) < ${rowsMax}::int as "isOver", (select count(*) from put)::int as count`;
  if (!batch) throw new Error("A batch of a replay gave no row");
  if (batch.isOver) {
    await tx`
      update webhook_replays set finished_at = clock_timestamp()
      where endpoint_id = ${endpointId} and replay_id = ${replayId} and organization_id = ${organizationId}`;
  }
  return { standing: batch.isOver ? "over" : "more", count: batch.count };
}
