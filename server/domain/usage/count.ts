import type { SystemActor } from "@/server/core/actor";
import { isDatabaseUnavailable } from "@/db/errors";
import type { Context, Services } from "@/server/core/context";
import { sequenceAt } from "@/server/domain/messages/model/sequence-at";
import type { Sql } from "@/db/client";
import { messagesByHour } from "./messages-by-hour";
import { hoursLater, HOUR_MS } from "./points";
import { type NextHour, nextHour, readProgress, PASSES } from "./progress";
import { replaceHour } from "./replace-hour";

const RUN_MS = 10_000;

/**
 * Counts completed hours, by organization: the states of their messages, and latencies. States still change, so an hour
 * is counted again later. Each hour is replaced as a whole in one transaction, together with the progress: after a
 * crash the next run continues, and no two processes count an organization at the same time.
 * @returns true if more may be left, so that the next run should start immediately.
 */
export async function countUsage(services: Services, { runMs = RUN_MS } = {}): Promise<boolean> {
  const endsAt = performance.now() + runMs;
  const queue = await organizationsToCount(services.sql);
  // One hour per organization in turn, so that a long history doesn't delay the others.
  for (let id = queue.shift(); id !== undefined && !services.lifecycle.isStopping(); id = queue.shift()) {
    if (await countOne(services, id)) queue.push(id);
    if (queue.length > 0 && performance.now() > endsAt) return true;
  }
  return false;
}

/** Returns organizations with an hour to count: one lookup of each one's newest message. */
async function organizationsToCount(sql: Sql): Promise<string[]> {
  const isDue = PASSES.map(({ column, afterMs }) => {
    const position = sql`p.${sql(column)}`;
    const untilDueSeconds = (HOUR_MS + afterMs) / 1000;
    return sql`or (newest.created_at >= ${position}
      and ${position} <= now() - make_interval(secs => ${untilDueSeconds}))`;
  });
  const rows = await sql<{ id: string }[]>`
    select o.id from organizations o left join usage_progress p on p.organization_id = o.id
    left join lateral (select m.created_at from messages m
      where m.organization_id = o.id and m.accept_seq > 0 order by m.accept_seq desc limit 1) newest on true
    where p.counted_from is not null or (p.organization_id is null and newest.created_at is not null) ${isDue}
    order by o.id`;
  return rows.map(({ id }) => id);
}

/** @returns whether another hour may be due. A failure ends the organization's turn in this run. */
async function countOne(services: Services, organizationId: string): Promise<boolean> {
  const actor: SystemActor = { kind: "system", organizationId, job: "usage" };
  try {
    return await countNextHour({ services, actor, requestId: null });
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    services.log.error({ err: error, organizationId }, "counting usage failed");
    return false;
  }
}

/** @returns false if none was due, or if another process is counting it and will look for the next one. */
async function countNextHour(ctx: Context<SystemActor>): Promise<boolean> {
  const { sql } = ctx.services;
  const { organizationId } = ctx.actor;
  await sql`insert into usage_progress (organization_id) values (${organizationId}) on conflict do nothing`;
  const { progress, now } = await readProgress(sql, organizationId);
  const next = await nextHour(ctx, progress, now);
  return next !== null && (await take(ctx, next));
}

async function take(ctx: Context<SystemActor>, { hour, columns, before, after }: NextHour): Promise<boolean> {
  const { organizationId } = ctx.actor;
  const span = hour === null ? null : await spanOf(ctx, hour);
  return ctx.services.sql.begin(async (tx) => {
    const [mine] = await tx<Record<string, Date | null>[]>`
      select ${tx(columns)} from usage_progress where organization_id = ${organizationId} for update skip locked`;
    if (!mine) return false;
    // Another process has counted it. Stopping here, like the processes that find it locked, could leave the next hour
    // to nobody.
    if (Object.values(mine).some((position) => position?.getTime() !== before.getTime())) return true;
    if (span !== null) {
      const groups = await messagesByHour(tx, span);
      await replaceHour(tx, { organizationId, hour: span.since, groups });
    }
    const moved = Object.fromEntries(columns.map((column) => [column, after]));
    await tx`update usage_progress set ${tx(moved)} where organization_id = ${organizationId}`;
    return true;
  });
}

async function spanOf(ctx: Context<SystemActor>, hour: Date) {
  const until = hoursLater(hour, 1);
  const [from, before] = await Promise.all([
    sequenceAt(ctx, hour, "before"),
    sequenceAt(ctx, until, "after"),
  ]);
  return { organizationId: ctx.actor.organizationId, since: hour, until, from, before };
}
