import type { Executor } from "@/db/client";
import type { Context } from "@/server/core/context";
import { sequenceAt } from "@/server/domain/messages/model/sequence-at";
import { UsageAggregation } from "./aggregate";
import { messagesByHour } from "./messages-by-hour";
import type { Points } from "./points";
import type { Progress } from "./progress";
import { readCounts, readLatencies, readRefusals, type Subject } from "./read-hours";

/** Numbers of the messages that may be uncounted, from `from` (inclusive) to `before` (exclusive). */
export interface UncountedNumbers {
  readonly from: number;
  readonly before: number;
}

/** Returns the numbers of a period's messages that aren't counted yet; null if all of its hours are counted. */
export async function uncountedNumbers(
  ctx: Context,
  { countedUntil }: Progress,
  { starts, until }: Points,
  now: Date,
): Promise<UncountedNumbers | null> {
  if (countedUntil >= until) return null;
  const [from, before] = await Promise.all([
    sequenceAt(ctx, later(countedUntil, starts[0] ?? until), "before"),
    until > now ? Number.MAX_SAFE_INTEGER : sequenceAt(ctx, until, "after"),
  ]);
  return { from, before };
}

interface Asked {
  readonly subject: Subject;
  readonly points: Points;
  readonly progress: Progress;
  readonly uncounted: UncountedNumbers | null;
  /** Maximum messages to count now. */
  readonly liveMax: number;
}

/**
 * Reads a period: stored counts, and messages that aren't in them yet.
 * @param tx a transaction with one snapshot, so that nothing is missing or counted twice.
 * @returns the counts, and where they end if there were more messages than the maximum.
 */
export async function readPeriod(
  tx: Executor,
  { subject, points, progress, uncounted, liveMax }: Asked,
): Promise<{ gathering: UsageAggregation; cutAt: Date | null }> {
  const first = points.starts[0] ?? points.until;
  const gathering = new UsageAggregation(points);
  const since = later(progress.countedFrom ?? first, first);
  const liveSince = later(progress.countedUntil, first);
  const span = { points, since, until: liveSince < points.until ? liveSince : points.until };
  for (const row of await readCounts(tx, subject, span)) gathering.addCounted(row);
  for (const row of await readLatencies(tx, subject, span)) gathering.addLatencies(row);
  if (subject.channelId === null) {
    const all = { points, since: first, until: points.until };
    for (const row of await readRefusals(tx, subject, all)) gathering.addRefusals(row);
  }
  if (uncounted === null) return { gathering, cutAt: null };
  const cut = await liveEnd(tx, subject, uncounted, liveMax);
  const live = { since: liveSince, until: points.until, from: uncounted.from };
  const before = cut?.before ?? uncounted.before;
  for (const group of await messagesByHour(tx, { ...subject, ...live, before })) gathering.addMessages(group);
  return { gathering, cutAt: cut?.at ?? null };
}

export const later = (one: Date, other: Date) => (one > other ? one : other);

/** Returns where to stop counting messages; null if there are few enough. */
async function liveEnd(
  tx: Executor,
  { organizationId }: Subject,
  { from, before }: UncountedNumbers,
  liveMax: number,
): Promise<{ before: number; at: Date } | null> {
  const [end] = await tx<{ before: number; at: Date }[]>`
    select accept_seq as before, created_at as at from messages
    where organization_id = ${organizationId} and accept_seq > 0 and accept_seq = (
      select accept_seq from messages
      where organization_id = ${organizationId} and accept_seq > 0 and accept_seq >= ${from}
        and accept_seq < ${before}
      order by accept_seq offset ${liveMax} limit 1)`;
  return end ?? null;
}
