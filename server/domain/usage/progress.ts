import type { Executor } from "@/db/client";
import type { Context } from "@/server/core/context";
import { DISORDER_MAX_MS, sequenceAt } from "@/server/domain/messages/model/sequence-at";
import { HOUR_MS, hourOf, hoursLater } from "./points";
import { USAGE_KEPT_DAYS } from "./replace-hour";

/** How far an organization's hours are counted. */
export interface Progress {
  /** Messages accepted before aren't counted yet; null if all are. */
  readonly countedFrom: Date | null;
  /** Messages accepted since aren't counted yet. */
  readonly countedUntil: Date;
  readonly recountedSoonUntil: Date;
  readonly recountedLaterUntil: Date;
  readonly recountedLastUntil: Date;
}

/** An hour is counted once it is over, and again while states still change, at these times after its end. */
export const PASSES = [
  { position: "countedUntil", column: "counted_until", afterMs: 60_000 },
  { position: "recountedSoonUntil", column: "recounted_soon_until", afterMs: 4 * HOUR_MS },
  { position: "recountedLaterUntil", column: "recounted_later_until", afterMs: 24 * HOUR_MS },
  { position: "recountedLastUntil", column: "recounted_last_until", afterMs: 72 * HOUR_MS },
] as const satisfies readonly { position: keyof Progress; column: string; afterMs: number }[];

/** Until then the states of a counted hour may still have changed. */
export const SETTLED_AFTER_HOURS = 1 + 72;

type PositionColumn = (typeof PASSES)[number]["column"] | "counted_from";

/** The next hour to count, and the progress before and after it. */
export interface NextHour {
  /** Null if there is nothing to count between the positions. */
  readonly hour: Date | null;
  /** The positions that move, all from the same hour. */
  readonly columns: readonly PositionColumn[];
  readonly before: Date;
  readonly after: Date | null;
}

/** For organizations without any counts. */
const NO_PROGRESS: Progress = {
  countedFrom: null,
  countedUntil: new Date(0),
  recountedSoonUntil: new Date(0),
  recountedLaterUntil: new Date(0),
  recountedLastUntil: new Date(0),
};

export async function readProgress(
  sql: Executor,
  organizationId: string,
): Promise<{ progress: Progress; now: Date }> {
  const [row] = await sql<(Progress & { now: Date; isThere: boolean })[]>`
    select now() as now, p.organization_id is not null as "isThere", p.counted_from as "countedFrom",
      p.counted_until as "countedUntil", p.recounted_soon_until as "recountedSoonUntil",
      p.recounted_later_until as "recountedLaterUntil", p.recounted_last_until as "recountedLastUntil"
    from (select) present left join usage_progress p on p.organization_id = ${organizationId}`;
  if (!row) throw new Error("The database told no time");
  return { progress: row.isThere ? row : NO_PROGRESS, now: row.now };
}

/** Returns the next due hour; null if there is none. New hours come first, old ones last. */
export async function nextHour(ctx: Context, progress: Progress, now: Date): Promise<NextHour | null> {
  for (const { position, column, afterMs } of PASSES) {
    const before = progress[position];
    const dueUntil = hourOf(new Date(now.getTime() - afterMs));
    if (before >= dueUntil) continue;
    const hour = await firstHourSince(ctx, before);
    if (hour === null) continue;
    if (hour >= dueUntil) return { hour: null, columns: [column], before, after: dueUntil };
    const columns = columnsThere(progress, before, now.getTime() - hoursLater(hour, 1).getTime());
    return { hour, columns, before, after: hoursLater(hour, 1) };
  }
  if (progress.countedFrom === null) return null;
  return olderHour(ctx, progress.countedFrom, now);
}

/** An hour whose states no longer change needs only one count, which completes every due pass at that position. */
function columnsThere(progress: Progress, position: Date, overForMs: number): PositionColumn[] {
  return PASSES.filter(
    (pass) => progress[pass.position].getTime() === position.getTime() && pass.afterMs <= overForMs,
  ).map(({ column }) => column);
}

/** Returns the first hour from then on that may contain messages: empty hours are skipped. */
async function firstHourSince(ctx: Context, since: Date): Promise<Date | null> {
  const from = await sequenceAt(ctx, since, "before");
  const [first] = await ctx.services.sql<{ createdAt: Date }[]>`
    select created_at as "createdAt" from messages
    where organization_id = ${ctx.actor.organizationId} and accept_seq > 0 and accept_seq >= ${from}
      and created_at >= ${since}
    order by accept_seq limit 1`;
  if (!first) return null;
  const hour = hourOf(new Date(first.createdAt.getTime() - DISORDER_MAX_MS));
  return hour < since ? since : hour;
}

async function olderHour(ctx: Context, until: Date, now: Date): Promise<NextHour> {
  const before = await sequenceAt(ctx, until, "after");
  const [last] = await ctx.services.sql<{ createdAt: Date }[]>`
    select created_at as "createdAt" from messages
    where organization_id = ${ctx.actor.organizationId} and accept_seq > 0 and accept_seq < ${before}
      and created_at < ${until}
    order by accept_seq desc limit 1`;
  const oldest = hoursLater(hourOf(now), -24 * USAGE_KEPT_DAYS);
  if (!last || last.createdAt < oldest)
    return { hour: null, columns: ["counted_from"], before: until, after: null };
  const found = hourOf(new Date(last.createdAt.getTime() + DISORDER_MAX_MS));
  const hour = found < until ? found : hoursLater(until, -1);
  return { hour, columns: ["counted_from"], before: until, after: hour };
}
