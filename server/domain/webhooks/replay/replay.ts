import type { Executor, TransactionSql } from "@/db/client";
import { retryOnConflict } from "@/db/errors";
import { newId } from "@/db/schema";
import { recordAuditBySql } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context, Services } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { parseInput } from "@/server/core/input/parse-input";
import { type Endpoint, isDelivering, notDelivering, readEndpoint } from "../endpoints/endpoint";
import { replayBatch, type ReplayKey } from "./replay-batch";
import { isCandidate, isReplayed } from "./replay-rows";
import {
  COUNTED_MAX,
  replayInput,
  type ReplayInput,
  type ReplayOnly,
  type ReplayOutput,
} from "./replay-schemas";

/** The caller waits no longer; the drain of the endpoint and the sweep continue. */
const WAIT_MS_MAX = 5_000;

interface Wanted {
  readonly endpoint: Endpoint;
  readonly since: string;
  /** Null: now. */
  readonly until: string | null;
  readonly only: ReplayOnly;
}

interface Counted {
  readonly since: Date;
  readonly until: Date;
  readonly only: ReplayOnly;
  readonly count: number;
  /** False if there may be more. */
  readonly isCountExact: boolean;
}

/**
 * Requeues deliveries of a time range, each once: the same bytes under the same ids, and the schedule from its start.
 * They are added as the queue has room, so that new events don't wait for all of them. After five seconds the rest
 * continues in the background, even after a crash. Repeated with the same `replay_id`, it returns the first result and
 * does nothing more; with another range or other deliveries it is refused. A dry run only counts, even for a disabled
 * endpoint.
 * @throws WaypostError `missing_scope`; `permission_denied`; `webhook_not_found`; `webhook_not_delivering`;
 * `idempotency_key_reused`; `validation_failed`, also for `all` without a `replay_id`.
 */
export async function replayWebhooks(args: { ctx: Context; input: ReplayInput }): Promise<ReplayOutput> {
  const { ctx } = args;
  requireCapability(ctx.actor, "webhooks.manage");
  const { id, since, until = null, only, dry_run, replay_id } = parseInput(replayInput, args.input);
  const endsAtMs = performance.now() + WAIT_MS_MAX;
  const endpoint = await readEndpoint(ctx, id);
  const inUtc = (time: string) => new Date(time).toISOString();
  const wanted: Wanted = { endpoint, since: inUtc(since), until: until === null ? null : inUtc(until), only };
  if (dry_run === true) return shape(await countOnly(ctx, wanted), null);
  const replayId = replay_id?.toLowerCase() ?? newId();
  const { isNew, ...replay } = await retryOnConflict(() =>
    ctx.services.sql.begin((tx) => begin(tx, ctx, wanted, replayId)),
  );
  const key = { organizationId: endpoint.organizationId, endpointId: endpoint.id, replayId };
  if (isNew) await work(ctx.services, key, endsAtMs);
  return shape(replay, replayId);
}

async function countOnly({ services }: Context, wanted: Wanted): Promise<Counted> {
  if (wanted.endpoint.url === null) throw notDelivering(wanted.endpoint);
  const [counted] = await services.sql<Counted[]>`
    select since, until, ${wanted.only} as "only", count, "isCountExact" from (${count(services.sql, wanted)}) c`;
  if (!counted) throw new Error("A count gave no row");
  return counted;
}

/** One row: the range, and the number of deliveries. */
function count(sql: Executor, { endpoint, since, until, only }: Wanted) {
  return sql`
    select s.since, s.until, least(c.count, ${COUNTED_MAX}) as count, c.examined <= ${COUNTED_MAX} as "isCountExact"
    from (select ${since}::timestamptz as since, least(${until}::timestamptz, now()) as until) s, lateral (
      select count(*)::int as examined,
        (count(*) filter (where ${isReplayed(sql, { endpoint, only, begunAt: sql`now()` })}))::int as count
      from (
        select d.* from webhook_deliveries d
        where ${isCandidate(sql, { endpoint, only })} and d.created_at >= s.since and d.created_at < s.until
        order by d.created_at, d.id limit ${COUNTED_MAX + 1}) d) c`;
}

/** Stores the replay, unless it is stored already: a concurrent request may do the same. */
async function begin(tx: TransactionSql, ctx: Context, wanted: Wanted, replayId: string) {
  const { endpoint, only } = wanted;
  const known = await findReplay(tx, endpoint, replayId);
  if (known) return { ...requireSame(known, wanted), isNew: false };
  if (!isDelivering(endpoint)) throw notDelivering(endpoint);
  const [begun] = await tx<Counted[]>`
    insert into webhook_replays (organization_id, endpoint_id, replay_id, "only", since, until, count, is_count_exact)
    select ${endpoint.organizationId}::uuid, ${endpoint.id}::uuid, ${replayId}::uuid, ${only}, since, until, count,
      "isCountExact"
    from (${count(tx, wanted)}) c
    on conflict do nothing
    returning since, until, "only", count, is_count_exact as "isCountExact"`;
  if (!begun) {
    const other = await findReplay(tx, endpoint, replayId);
    if (!other) throw new Error("A replay is noted and can't be found");
    return { ...requireSame(other, wanted), isNew: false };
  }
  await recordAuditBySql(tx, ctx, {
    action: "webhook.replayed",
    subjectKind: "webhook",
    subjectId: endpoint.id,
    detail: { replayId, ...begun },
  });
  return { ...begun, isNew: true };
}

/** A replay that was stored before. */
interface Known extends Counted {
  /** Its range ended at its own creation: no end was given, or one in the future. */
  readonly endsAtItsMoment: boolean;
}

function requireSame({ endsAtItsMoment, ...known }: Known, { since, until, only }: Wanted): Counted {
  const isSameEnd = endsAtItsMoment
    ? until === null || new Date(until) >= known.until
    : until === known.until.toISOString();
  if (known.only === only && known.since.toISOString() === since && isSameEnd) return known;
  throw new WaypostError("idempotency_key_reused", {
    message: "This `replay_id` was used for a replay of another time, or of other deliveries.",
    field: "replay_id",
  });
}

async function findReplay(
  tx: TransactionSql,
  { id, organizationId }: Endpoint,
  replayId: string,
): Promise<Known | undefined> {
  const [replay] = await tx<Known[]>`
    select since, until, "only", count, is_count_exact as "isCountExact", until = created_at as "endsAtItsMoment" from webhook_replays
    where endpoint_id = ${id} and replay_id = ${replayId} and organization_id = ${organizationId}`;
  return replay;
}

/** Runs at least one batch, then continues until there is no more room. */
async function work(services: Services, key: ReplayKey, endsAtMs: number): Promise<void> {
  while ((await replayBatch(services, key)).standing === "more") {
    if (services.lifecycle.isStopping() || performance.now() > endsAtMs) return;
  }
}

function shape(
  { since, until, only, count: counted, isCountExact }: Counted,
  replayId: string | null,
): ReplayOutput {
  return {
    replay_id: replayId,
    dry_run: replayId === null,
    since: since.toISOString(),
    until: until.toISOString(),
    only,
    count: counted,
    count_is_exact: isCountExact,
  };
}
