import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { AVAILABLE_KEPT_DAYS, WEBHOOKS_KEPT_DAYS } from "@/server/domain/organizations/retention-days";
import type { Step } from "./step";

const BATCH_MAX = 500;

/** Deletes webhook events older than 30 days with their deliveries and attempts, and the records of replays. */
export function oldWebhooks({ services, actor }: Context<SystemActor>): Step {
  const { sql } = services;
  return async () => {
    const { count } = await sql`
      delete from webhook_events where organization_id = ${actor.organizationId} and id in (
        select id from webhook_events
        where organization_id = ${actor.organizationId} and created_at < now() - make_interval(days => ${WEBHOOKS_KEPT_DAYS})
        order by created_at limit ${BATCH_MAX})`;
    await sql`
      delete from webhook_replays
      where organization_id = ${actor.organizationId} and created_at < now() - make_interval(days => ${WEBHOOKS_KEPT_DAYS})`;
    return { erased: count, isMore: count >= BATCH_MAX };
  };
}

/** Deletes events that have waited seven days to be fetched. */
export function oldAvailable({ services, actor }: Context<SystemActor>): Step {
  const { sql } = services;
  return async () => {
    const { count } = await sql`
      delete from webhook_deliveries where organization_id = ${actor.organizationId} and id in (
        select id from webhook_deliveries
        where organization_id = ${actor.organizationId} and state = 'available'
          and created_at < now() - make_interval(days => ${AVAILABLE_KEPT_DAYS})
        order by created_at limit ${BATCH_MAX})`;
    return { erased: count, isMore: count >= BATCH_MAX };
  };
}
