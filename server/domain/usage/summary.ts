import { z } from "zod";
import type { Executor } from "@/db/client";
import { requireCapability } from "@/server/core/capabilities";
import { requireKnownChannel } from "@/server/core/channel-access";
import type { Context } from "@/server/core/context";
import { catalogueEntry, isErrorCode, remedyForStaff } from "@/server/platform/errors";
import { sequenceAt } from "@/server/domain/messages/model/sequence-at";
import { requireKnownKey } from "@/server/domain/requests/require-known-key";
import { UsageAggregation } from "./aggregate";
import { messagesByHour } from "./messages-by-hour";
import { hoursLater, isZone, pointsOf, type Points, RANGES } from "./points";
import { readProgress, SETTLED_AFTER_HOURS } from "./progress";
import { countedAt, readCounts, readLatencies, readRefusals, type Subject } from "./read-hours";
import type { CodeCount, UsageSummary } from "./view";

export const summarizeUsageInput = z
  .strictObject({
    range: z.enum(["24h", "7d", "30d", "90d"]),
    /** The time zone in which days start (IANA). */
    zone: z.string().max(100).refine(isZone, "must be a time zone such as Europe/Berlin").default("UTC"),
    channelId: z.guid().optional(),
    keyId: z.guid().optional(),
  })
  .refine(({ channelId, keyId }) => channelId === undefined || keyId === undefined, {
    error: "can't be given with `channelId`",
    path: ["keyId"],
  });

type Input = z.output<typeof summarizeUsageInput>;

/** Maximum messages counted while a user waits. Beyond it, the next hourly run counts them. */
const LIVE_MAX = 100_000;

/**
 * Summarizes how many messages were accepted, their states, their latencies, failures and refusals: of the
 * organization, of one channel, or of one key. Reads stored hourly counts. Later messages are counted now, up to the
 * number above, and `asOf` says how far that reaches.
 * @throws WaypostError `permission_denied` without `usage.read`; `channel_forbidden` and `key_not_found` for one that
 * the organization doesn't have; `validation_failed`.
 */
export async function summarizeUsage(
  args: { ctx: Context; input: Input },
  { liveMax = LIVE_MAX } = {},
): Promise<UsageSummary> {
  const { ctx, input } = args;
  requireCapability(ctx.actor, "usage.read");
  if (input.channelId !== undefined) await requireKnownChannel(ctx, input.channelId);
  if (input.keyId !== undefined) await requireKnownKey(ctx, input.keyId);
  const { channelId = null, keyId = null } = input;
  const subject = { organizationId: ctx.actor.organizationId, channelId, keyId };
  const { gathering, points, ...moment } = await gather(ctx, input, subject, liveMax);
  return {
    range: input.range,
    unit: RANGES[input.range].unit,
    zone: input.zone,
    ...moment,
    ...shown(gathering, points, channelId === null),
    ...(await named(ctx, gathering)),
  };
}

interface SummaryParts extends Pick<UsageSummary, "asOf" | "statesAsOf" | "countedSince"> {
  readonly gathering: UsageAggregation;
  readonly points: Points;
}

async function gather(ctx: Context, input: Input, subject: Subject, liveMax: number): Promise<SummaryParts> {
  const { sql } = ctx.services;
  const { progress: earlier, now } = await readProgress(sql, subject.organizationId);
  const points = pointsOf(input.range, input.zone, now);
  const first = points.starts[0] ?? points.until;
  const from = await sequenceAt(ctx, later(earlier.countedUntil, first), "before");
  // Stored counts and live counts are read from one snapshot, so that nothing is missing or counted twice.
  return sql.begin("isolation level repeatable read read only", async (tx) => {
    const { progress } = await readProgress(tx, subject.organizationId);
    const gathering = new UsageAggregation(points);
    const since = later(progress.countedFrom ?? first, first);
    const liveSince = later(progress.countedUntil, first);
    const span = { points, since, until: liveSince };
    for (const row of await readCounts(tx, subject, span)) gathering.addCounted(row);
    for (const row of await readLatencies(tx, subject, span)) gathering.addLatencies(row);
    if (subject.channelId === null) {
      const all = { points, since: first, until: points.until };
      for (const row of await readRefusals(tx, subject, all)) gathering.addRefusals(row);
    }
    const end = await liveEnd(tx, subject, from, liveMax);
    const live = {
      since: liveSince,
      until: points.until,
      from,
      before: end?.before ?? Number.MAX_SAFE_INTEGER,
    };
    for (const group of await messagesByHour(tx, { ...subject, ...live })) gathering.addMessages(group);
    const unsettled = await countedAt(tx, subject, later(since, hoursLater(now, -SETTLED_AFTER_HOURS)));
    const countedSince =
      progress.countedFrom !== null && progress.countedFrom > first ? progress.countedFrom : null;
    const asOf = end?.at ?? now;
    return { gathering, points, asOf, statesAsOf: earlierOf(unsettled ?? asOf, asOf), countedSince };
  });
}

const later = (one: Date, other: Date) => (one > other ? one : other);
const earlierOf = (one: Date, other: Date) => (one < other ? one : other);

/** Returns where to stop counting messages; null if there are few enough. */
async function liveEnd(
  tx: Executor,
  { organizationId }: Subject,
  from: number,
  liveMax: number,
): Promise<{ before: number; at: Date } | null> {
  const [end] = await tx<{ before: number; at: Date }[]>`
    select accept_seq as before, created_at as at from messages
    where organization_id = ${organizationId} and accept_seq > 0 and accept_seq = (
      select accept_seq from messages
      where organization_id = ${organizationId} and accept_seq > 0 and accept_seq >= ${from}
      order by accept_seq offset ${liveMax} limit 1)`;
  return end ?? null;
}

function shown(gathering: UsageAggregation, points: Points, hasRefusals: boolean) {
  const refused = (count: number | null) => (hasRefusals ? count : null);
  const totals = gathering.totals();
  return {
    points: gathering.points().map((point, index) => ({
      startsAt: points.starts[index] ?? points.until,
      endsAt: points.starts[index + 1] ?? points.until,
      ...point,
      refused: refused(point.refused),
    })),
    totals: { ...totals, refused: refused(totals.refused) },
    failures: gathering.failures().map(explained),
    refusals: hasRefusals ? gathering.refusals().map(explained) : null,
  };
}

function explained([code, count]: readonly [string, number]): CodeCount {
  if (!isErrorCode(code)) return { code, count, message: null, remedy: null };
  return { code, count, message: catalogueEntry(code).message, remedy: remedyForStaff(code) };
}

async function named({ services, actor }: Context, gathering: UsageAggregation) {
  const { sql } = services;
  const channelRows = gathering.byChannel();
  const keyRows = gathering.byKey();
  const names = await sql<{ id: string; name: string }[]>`
    select id, name from channels where organization_id = ${actor.organizationId}
      and id = any(${channelRows.map(([id]) => id)}::uuid[])
    union all
    select id, name from api_keys where organization_id = ${actor.organizationId}
      and id = any(${keyRows.flatMap(([id]) => id ?? [])}::uuid[])`;
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  return {
    byChannel: channelRows.map(([channelId, counts]) => ({
      channelId,
      name: nameOf.get(channelId) ?? null,
      ...counts,
    })),
    byKey: keyRows.map(([keyId, counts]) => ({
      keyId,
      name: keyId === null ? null : (nameOf.get(keyId) ?? null),
      ...counts,
    })),
  };
}
