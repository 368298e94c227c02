import { claimDeliveries, dueAfterNow } from "@/server/webhooks/claim";
import { listDeliveries } from "@/server/webhooks/list-deliveries";
import { recordDeliveries } from "@/server/webhooks/record";
import { webhookCounts } from "@/server/metrics/claim";
import { BATCH, type Operation, straight } from "./operation";
import type { GrowthWorld } from "./world";

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
          verdict: position === 0 ? FAILED : DELIVERED,
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
        const results = claimed.map((delivery) => ({ delivery, verdict: TIMED_OUT, isRetried: true }));
        await recordDeliveries(services, results);
        await dueAfterNow(services, endpoints.stalled);
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
  webhookMetrics: {
    title: "webhooks are counted for metrics",
    open: straight(({ services }) => webhookCounts(services.sql)),
  },
} as const satisfies Record<string, Operation>;

/** Few: rows of one time lie on more pages where others were added between them. */
const PAGE = { limit: 10, order: "newest" } as const;
const VERDICT = {
  answer: null,
  durationMs: 20,
  isOverloaded: false,
  retryAfterSeconds: null,
  backsOff: false,
} as const;
const DELIVERED = { ...VERDICT, errorClass: null, httpStatus: 204 } as const;
const FAILED = { ...VERDICT, errorClass: "status", httpStatus: 500 } as const;
const TIMED_OUT = {
  ...VERDICT,
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

/** As many as are claimed at once, of the newest. */
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
