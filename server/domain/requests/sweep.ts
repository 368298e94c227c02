import type { Services } from "@/server/core/context";
import type { Sql } from "@/db/client";
import { REFUSALS_COUNTED_DAYS, REFUSED_KEPT_DAYS, REQUESTS_COUNTED_DAYS } from "./days";

const BATCH_MAX = 500;
/** The next sweep removes the rest. */
const RUN_MS = 10_000;

/**
 * Removes refused requests and the counts of requests past the retention time: in batches, so that none holds locks for long.
 * Never throws.
 */
export async function sweepRequests(services: Services): Promise<void> {
  const endsAt = performance.now() + RUN_MS;
  try {
    for (const remove of [removeOldRequests, removeOldRefusalCounts, removeOldRequestCounts]) {
      let removed = 1;
      while (removed > 0 && performance.now() < endsAt && !services.lifecycle.isStopping())
        removed = await remove(services.sql, BATCH_MAX);
    }
  } catch (error) {
    services.log.error({ err: error }, "deleting the old part of the API log failed");
  }
}

// Works across organizations: one lookup per organization in the index by time, whose order puts the oldest first.

/** Removes refused requests past their retention time, up to a maximum per organization. @returns how many. */
async function removeOldRequests(sql: Sql, perOrganizationMax: number): Promise<number> {
  const { count } = await sql`
    delete from api_requests r using organizations o cross join lateral (
      select a.id, a.organization_id from api_requests a
      where a.organization_id = o.id and a.refused_at < now() - make_interval(days => ${REFUSED_KEPT_DAYS})
      order by a.refused_at, a.id limit ${perOrganizationMax}) old
    where r.id = old.id and r.organization_id = old.organization_id`;
  return count;
}

/** Removes counts of refusals past their retention time, up to a maximum per organization. @returns how many. */
async function removeOldRefusalCounts(sql: Sql, perOrganizationMax: number): Promise<number> {
  const { count } = await sql`
    delete from refusal_hours h using organizations o cross join lateral (
      select c.organization_id, c.hour, c.key_id, c.code from refusal_hours c
      where c.organization_id = o.id and c.hour < now() - make_interval(days => ${REFUSALS_COUNTED_DAYS})
      order by c.hour, c.key_id, c.code limit ${perOrganizationMax}) old
    where h.organization_id = old.organization_id and h.hour = old.hour and h.key_id = old.key_id
      and h.code = old.code`;
  return count;
}

/** Removes counts of all requests past their retention time, up to a maximum per organization. @returns how many. */
async function removeOldRequestCounts(sql: Sql, perOrganizationMax: number): Promise<number> {
  const { count } = await sql`
    delete from request_hours h using organizations o cross join lateral (
      select c.* from request_hours c
      where c.organization_id = o.id and c.hour < now() - make_interval(days => ${REQUESTS_COUNTED_DAYS})
      order by c.hour, c.key_id, c.method, c.route, c.status limit ${perOrganizationMax}) old
    where h.organization_id = old.organization_id and h.hour = old.hour and h.key_id = old.key_id
      and h.method = old.method and h.route = old.route and h.status = old.status`;
  return count;
}
