import { z } from "zod";
import type { Executor } from "@/db/client";
import { requireCapability } from "@/server/core/capabilities";
import { requireKnownChannel } from "@/server/core/channel-access";
import type { Context } from "@/server/core/context";
import { catalogueEntry, isErrorCode, remedyForStaff } from "@/server/platform/errors";
import { requireKnownKey } from "@/server/domain/requests/require-known-key";
import type { UsageAggregation } from "./aggregate";
import { isOnePeriod, keptSince, ONE_PERIOD_RULE, periodFields, periodOf } from "./period";
import { hoursLater, type PeriodPoints, pointsOf, type Points, previousOf } from "./points";
import { type Progress, readProgress, SETTLED_AFTER_HOURS } from "./progress";
import { countedAt, type Subject } from "./read-hours";
import { later, readPeriod, uncountedNumbers } from "./read-period";
import type { CodeCount, UsageSummary, UsageView } from "./view";

export const summarizeUsageInput = z
  .strictObject({ ...periodFields, channelId: z.guid().optional(), keyId: z.guid().optional() })
  .refine(isOnePeriod, ONE_PERIOD_RULE)
  .refine(({ channelId, keyId }) => channelId === undefined || keyId === undefined, {
    error: "can't be given with `channelId`",
    path: ["keyId"],
  });

type Input = z.output<typeof summarizeUsageInput>;

/** Maximum messages counted while a user waits. Beyond it, the next hourly run counts them. */
const LIVE_MAX = 100_000;

/**
 * Summarizes how many messages were accepted, their states, their latencies, failures and refusals: of the
 * organization, of one channel, or of one key; and of the period before, of the same length. Reads stored hourly counts. Later messages are counted now, up to the
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
  const { gathering, points, ...read } = await readBoth(ctx, input, subject, liveMax);
  return {
    range: input.range ?? null,
    unit: points.unit,
    zone: input.zone,
    ...read,
    ...shown(gathering, points, channelId === null),
    ...(await named(ctx, gathering)),
  };
}

interface SummaryParts extends Pick<
  UsageSummary,
  "asOf" | "statesAsOf" | "countedSince" | "keptSince" | "previous"
> {
  readonly gathering: UsageAggregation;
  readonly points: PeriodPoints;
}

async function readBoth(
  ctx: Context,
  input: Input,
  subject: Subject,
  liveMax: number,
): Promise<SummaryParts> {
  const { sql } = ctx.services;
  const { organizationId } = subject;
  const { progress: earlier, now } = await readProgress(sql, organizationId);
  const points = pointsOf(periodOf(input, now), input.zone, now);
  const before = previousOf(points, now);
  const [uncounted, uncountedBefore] = await Promise.all([
    uncountedNumbers(ctx, earlier, points, now),
    uncountedNumbers(ctx, earlier, before, now),
  ]);
  return sql.begin("isolation level repeatable read read only", async (tx) => {
    const { progress } = await readProgress(tx, organizationId);
    const asked = { subject, progress, liveMax };
    const { gathering, cutAt } = await readPeriod(tx, { ...asked, points, uncounted });
    const previous = await readPeriod(tx, { ...asked, points: before, uncounted: uncountedBefore });
    const first = points.starts[0] ?? points.until;
    const since = later(progress.countedFrom ?? first, first);
    const asOf = cutAt ?? now;
    const unsettled = await countedAt(tx, subject, later(since, hoursLater(now, -SETTLED_AFTER_HOURS)));
    return {
      gathering,
      points,
      asOf,
      statesAsOf: earlierOf(unsettled ?? asOf, asOf),
      countedSince:
        progress.countedFrom !== null && progress.countedFrom > first ? progress.countedFrom : null,
      keptSince: input.since !== undefined && new Date(input.since) < keptSince(now) ? keptSince(now) : null,
      previous: {
        since: before.starts[0] ?? before.until,
        until: before.until,
        missing: await missingOf(tx, { organizationId, before, progress, now, cutAt: previous.cutAt }),
        totals: withoutRefusals(previous.gathering.totals(), subject.channelId !== null),
      },
    };
  });
}

const earlierOf = (one: Date, other: Date) => (one < other ? one : other);

const withoutRefusals = (view: UsageView, areUnknown: boolean): UsageView =>
  areUnknown ? { ...view, refused: null } : view;

interface Before {
  readonly organizationId: string;
  readonly before: Points;
  readonly progress: Progress;
  readonly now: Date;
  readonly cutAt: Date | null;
}

/** Returns why the period before can't be compared with; null if all of it is there. */
async function missingOf(
  tx: Executor,
  { organizationId, before, progress, now, cutAt }: Before,
): Promise<UsageSummary["previous"]["missing"]> {
  const since = before.starts[0] ?? before.until;
  const [organization] = await tx<{ createdAt: Date }[]>`
    select created_at as "createdAt" from organizations where id = ${organizationId}`;
  if (organization !== undefined && organization.createdAt > since)
    return { reason: "created", until: organization.createdAt };
  if (since < keptSince(now)) return { reason: "deleted", until: keptSince(now) };
  if (cutAt !== null) return { reason: "uncounted", until: before.until };
  if (progress.countedFrom !== null && progress.countedFrom > since)
    return { reason: "uncounted", until: progress.countedFrom };
  return null;
}

function shown(gathering: UsageAggregation, points: Points, hasRefusals: boolean) {
  const totals = gathering.totals();
  return {
    points: gathering.points().map((point, index) => ({
      startsAt: points.starts[index] ?? points.until,
      endsAt: points.starts[index + 1] ?? points.until,
      ...withoutRefusals(point, !hasRefusals),
    })),
    totals: withoutRefusals(totals, !hasRefusals),
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
