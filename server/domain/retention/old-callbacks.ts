import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { CALLBACKS_KEPT_DAYS } from "@/server/domain/organizations/retention-days";
import type { Step } from "./step";

const BATCH_MAX = 500;

/**
 * Deletes raw callbacks older than 30 days, or than the retention time of content if that is shorter. An unprocessed
 * callback stays until it is processed, because it may contain a message's status.
 */
export function oldCallbacks({ services, actor }: Context<SystemActor>, retentionDays: number): Step {
  const days = Math.min(retentionDays, CALLBACKS_KEPT_DAYS);
  const { sql } = services;
  return async () => {
    const { count } = await sql`
      delete from upstream_callbacks where organization_id = ${actor.organizationId} and id in (
        (select id from upstream_callbacks
          where organization_id = ${actor.organizationId} and processed_at is not null
            and received_at < now() - make_interval(days => ${days})
          order by received_at limit ${BATCH_MAX})
        union all
        (select u.id from channels c
          join upstream_callbacks u on u.channel_id = c.id and u.organization_id = c.organization_id
          where c.organization_id = ${actor.organizationId} and u.processed_at is null and u.tries > 0
            and u.received_at < now() - make_interval(days => ${days})
          limit ${BATCH_MAX}))`;
    return { erased: count, isMore: count >= BATCH_MAX };
  };
}

/** Deletes statuses that have waited that long for an unknown message. */
export function oldUnmatchedStatuses({ services, actor }: Context<SystemActor>, retentionDays: number): Step {
  const days = Math.min(retentionDays, CALLBACKS_KEPT_DAYS);
  const { sql } = services;
  return async () => {
    const { count } = await sql`
      delete from unmatched_statuses where organization_id = ${actor.organizationId} and id in (
        select id from unmatched_statuses
        where organization_id = ${actor.organizationId} and created_at < now() - make_interval(days => ${days})
        order by created_at limit ${BATCH_MAX})`;
    return { erased: count, isMore: count >= BATCH_MAX };
  };
}
