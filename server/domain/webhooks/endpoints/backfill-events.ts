import { setTimeout as pause } from "node:timers/promises";
import type { Context, Services } from "@/server/core/context";
import type { Endpoint } from "./endpoint";
import { settledUntil } from "../outbox/settled-until";
import { isSubjectOfChannels } from "../outbox/subject";
import { newUuid } from "@/db/new-uuid";

/** As long as events that wait to be fetched are kept. */
const DAYS_MAX = 7;
const BOUNDS = {
  /** The latest events are used. */
  eventsMax: 10_000,
  /** Maximum events examined, of all types and channels: the time is bounded, however few match. */
  examinedMax: 100_000,
};

const ASK_EVERY_MS = 100;
/** Events of a longer transaction are left out. */
const SETTLED_WAIT_MS_MAX = 5_000;

/**
 * Gives a new pull endpoint the organization's latest stored events since a time. Events that no endpoint wanted
 * weren't stored. To leave no gap before the first event that arrives on its own, it waits for the transactions in
 * progress, five seconds at most.
 */
export async function backfillEvents(
  { services }: Context,
  endpoint: Endpoint,
  since: Date,
  { eventsMax, examinedMax } = BOUNDS,
): Promise<void> {
  await othersHaveEnded(services);
  const { id, organizationId, events, channelIds } = endpoint;
  await services.sql`
    insert into webhook_deliveries (id, organization_id, endpoint_id, event_id, type, state, created_at, ended_at)
    select ${newUuid(services.sql)}, v.organization_id, ${id}, v.id, v.type, 'available', v.created_at, now()
    from (
      select v.id, v.organization_id, v.type, v.created_at
      from (
        select * from webhook_events
        where organization_id = ${organizationId}
          and created_at >= greatest(${since}::timestamptz, now() - make_interval(days => ${DAYS_MAX}))
        order by created_at desc limit ${examinedMax}) v
      where v.body is not null and v.type = any(${events}::text[])
        and (${channelIds}::uuid[] is null
          or coalesce(${isSubjectOfChannels(services.sql, services.sql`${channelIds}::uuid[]`)}, false))
      order by v.created_at desc, v.id desc limit ${eventsMax}) v
    on conflict (event_id, endpoint_id) do nothing`;
}

/** Waits for transactions that started before now: they may not have seen the endpoint. */
async function othersHaveEnded({ sql }: Services): Promise<void> {
  const [clock] = await sql<{ now: string }[]>`select clock_timestamp()::text as now`;
  const endsAt = performance.now() + SETTLED_WAIT_MS_MAX;
  for (let isSettled = false; !isSettled && performance.now() < endsAt;) {
    await pause(ASK_EVERY_MS);
    const [row] = await sql<{ isSettled: boolean }[]>`
      select ${settledUntil(sql)} > ${clock?.now ?? null}::text::timestamptz as "isSettled"`;
    isSettled = row?.isSettled ?? false;
  }
}
