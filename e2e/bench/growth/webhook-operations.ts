import { newId } from "@/db/schema";
import type { Context } from "@/server/core/context";
import { servicesWith } from "@/server/core/testing";
import { backfillEvents } from "@/server/domain/webhooks/endpoints/backfill-events";
import { claimDeliveries, queueState, skipPending } from "@/server/domain/webhooks/deliver/claim";
import { readEndpoint } from "@/server/domain/webhooks/endpoints/endpoint";
import { inspectWebhook } from "@/server/domain/webhooks/inspect";
import { listDeliveries } from "@/server/domain/webhooks/deliver/list-deliveries";
import { recordDeliveries } from "@/server/domain/webhooks/deliver/record";
import { replayWebhooks } from "@/server/domain/webhooks/replay/replay";
import { replayBatch, type ReplayKey } from "@/server/domain/webhooks/replay/replay-batch";
import type { ReplayInput } from "@/server/domain/webhooks/replay/replay-schemas";
import { webhookCounts } from "@/server/ops/metrics/claim";
import { BATCH, type Operation, straight } from "./operation";
import type { GrowthWorld } from "./world";

/** Verbs that examine at most a hundred thousand rows reach that limit in a database with this many messages. */
const LIMIT_REACHED = 4_000_000;
const LONG_AGO = "2000-01-01T00:00:00Z";

export const WEBHOOK_OPERATIONS = {
  deliver: {
    title: "webhooks are claimed, and their outcomes stored",
    async open({ admin, services, endpoints, key }) {
      await makeDeliveriesDue(admin, key.actor.organizationId, endpoints.working);
      return async () => {
        const claimed = await claimDeliveries(services, endpoints.working, BATCH);
        if (claimed.length !== BATCH) throw new Error(`Only ${claimed.length} webhooks could be claimed`);
        const results = claimed.map((delivery, position) => ({
          delivery,
          attemptResult: position === 0 ? FAILED : DELIVERED,
          isRetried: true,
        }));
        await recordDeliveries(services, results);
      };
    },
  },
  deliverStalled: {
    title: "an endpoint with all of its webhooks due is asked by one",
    async open({ admin, services, endpoints }) {
      await admin`
        update webhook_endpoints set backoff_until = now() where id = ${endpoints.stalled}`;
      return async () => {
        const claimed = await claimDeliveries(services, endpoints.stalled, BATCH);
        if (claimed.length !== 1) throw new Error(`${claimed.length} webhooks were claimed`);
        const results = claimed.map((delivery) => ({ delivery, attemptResult: TIMED_OUT, isRetried: true }));
        await recordDeliveries(services, results);
        await queueState(services, endpoints.stalled);
      };
    },
  },
  listDeliveries: {
    title: "GET /webhooks/{id}/deliveries",
    open: straight(({ key, endpoints }) =>
      listDeliveries({ ctx: manager(key), input: { ...PAGE, id: endpoints.working } }),
    ),
  },
  listDeliveriesOfState: {
    title: "GET /webhooks/{id}/deliveries?state=failed",
    open: straight(({ key, endpoints }) =>
      listDeliveries({ ctx: manager(key), input: { ...PAGE, id: endpoints.working, state: "failed" } }),
    ),
  },
  listDeliveriesOldest: {
    title: "GET /webhooks/{id}/deliveries?order=oldest",
    open: straight(({ key, endpoints }) =>
      listDeliveries({ ctx: manager(key), input: { ...PAGE, id: endpoints.working, order: "oldest" } }),
    ),
  },
  inspect: {
    title: "the page of an endpoint with everything skipped, on a channel since removed",
    open: straight((world) =>
      inspectWebhook({ ctx: systemOf(world), input: { id: world.endpoints.elsewhere } }),
    ),
  },
  countReplay: {
    title: "POST /webhooks/{id}/replay, a dry run of the same",
    flatFrom: LIMIT_REACHED,
    open: straight((world) => replay(world, world.endpoints.elsewhere, { only: "skipped", dry_run: true })),
  },
  countReplayOfAll: {
    title: "POST /webhooks/{id}/replay, a dry run of all, where all wait",
    flatFrom: LIMIT_REACHED,
    open: straight((world) => replay(world, world.endpoints.stalled, { only: "all", dry_run: true })),
  },
  replay: {
    title: "POST /webhooks/{id}/replay, of the latest",
    async open(world) {
      const since = await failAgain(world);
      return () => replay(world, world.endpoints.working, { only: "failed", since });
    },
  },
  goOnWithReplay: {
    title: "a replay goes on, and nothing of it is put back",
    async open(world) {
      const key = await addReplay(world);
      return async () => {
        const batch = await replayBatch(world.services, key);
        if (batch.standing !== "more" || batch.count > 0)
          throw new Error("The replay didn't go on as it should");
      };
    },
  },
  skip: {
    title: "what waits for an endpoint that is disabled is skipped",
    async open({ admin, services, key, endpoints }) {
      await admin`
        update webhook_endpoints set disabled_at = now(), disabled_reason = 'member' where id = ${endpoints.elsewhere}`;
      await admin`
        update webhook_deliveries set state = 'pending', next_attempt_at = created_at
        where organization_id = ${key.actor.organizationId} and id in (
          select id from webhook_deliveries where endpoint_id = ${endpoints.elsewhere} order by created_at desc limit ${BATCH})`;
      return async () => {
        if ((await skipPending(services, endpoints.elsewhere)) !== BATCH)
          throw new Error("Something wasn't skipped");
        await admin`
          update webhook_endpoints set disabled_at = null, disabled_reason = null where id = ${endpoints.elsewhere}`;
      };
    },
  },
  addEarlier: {
    title: "POST /webhooks with since, for what hardly ever happens",
    flatFrom: LIMIT_REACHED,
    open: straight(async (world) => {
      const ctx = systemOf(world);
      await backfillEvents(ctx, await readEndpoint(ctx, world.endpoints.rare), new Date(LONG_AGO));
    }),
  },
  webhookMetrics: {
    title: "webhooks are counted for metrics",
    open: straight(({ services }) => webhookCounts(services.sql)),
  },
} as const satisfies Record<string, Operation>;

const systemOf = ({ services, key }: GrowthWorld): Context => ({
  services,
  actor: { kind: "system", organizationId: key.actor.organizationId, job: "bench" },
  requestId: null,
});

/** Like in a process that is stopping: one batch is requeued. */
const replay = (world: GrowthWorld, id: string, input: Pick<ReplayInput, "only"> & Partial<ReplayInput>) =>
  replayWebhooks({
    ctx: {
      ...systemOf(world),
      services: servicesWith(world.services, { lifecycle: { isStopping: () => true } }),
    },
    input: { id, since: LONG_AGO, ...input },
  });

/** Only the newest few of the working endpoint failed recently. @returns since when. */
async function failAgain({ admin, endpoints }: GrowthWorld): Promise<string> {
  await admin`update webhook_replays set finished_at = now() where finished_at is null`;
  const rows = await admin<{ at: string }[]>`
    update webhook_deliveries set state = 'failed', next_attempt_at = null, ended_at = created_at
    where id in (
      select id from webhook_deliveries where endpoint_id = ${endpoints.working} order by created_at desc limit ${BATCH})
    returning to_json(created_at)#>>'{}' as at`;
  return rows.map(({ at }) => new Date(at).toISOString()).sort()[0] ?? LONG_AGO;
}

async function addReplay({ admin, key, endpoints }: GrowthWorld): Promise<ReplayKey> {
  const { organizationId } = key.actor;
  const replayId = newId();
  await admin`
    insert into webhook_replays (organization_id, endpoint_id, replay_id, "only", since, until, count)
    values (${organizationId}, ${endpoints.elsewhere}, ${replayId}, 'skipped', now() - interval '1 day', now(), 0)`;
  return { organizationId, endpointId: endpoints.elsewhere, replayId };
}

/** Few: rows with equal times are spread over more pages if others were inserted between them. */
const PAGE = { limit: 10, order: "newest" } as const;
const RESULT = {
  answer: null,
  durationMs: 20,
  isOverloaded: false,
  retryAfterSeconds: null,
  backsOff: false,
} as const;
const DELIVERED = { ...RESULT, errorClass: null, httpStatus: 204 } as const;
const FAILED = { ...RESULT, errorClass: "status", httpStatus: 500 } as const;
const TIMED_OUT = {
  ...RESULT,
  errorClass: "timeout",
  httpStatus: null,
  isOverloaded: true,
  backsOff: true,
} as const;

/** The same key with the scope that webhooks need. */
const manager = (key: GrowthWorld["key"]): GrowthWorld["key"] => ({
  ...key,
  actor: { ...key.actor, scopes: [...key.actor.scopes, "webhooks:manage"] },
});

/** As many of the newest as are claimed together. */
async function makeDeliveriesDue(
  admin: GrowthWorld["admin"],
  organizationId: string,
  endpointId: string,
): Promise<void> {
  await admin`
    update webhook_deliveries set state = 'failed', next_attempt_at = null
    where endpoint_id = ${endpointId} and is_pending`;
  await admin`
    update webhook_deliveries set state = 'pending', attempts = 0, next_attempt_at = now()
    where organization_id = ${organizationId} and id in (
      select id from webhook_deliveries where endpoint_id = ${endpointId} order by created_at desc limit ${BATCH})`;
}
