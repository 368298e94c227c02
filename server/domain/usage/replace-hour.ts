import type { TransactionSql } from "@/db/client";
import { addedCounts, countsOf, NO_COUNTS, type UsageCounts } from "./counts";
import { added, single } from "./histogram";
import { hoursLater } from "./points";
import type { MessageGroup } from "./messages-by-hour";

/** Longer than any available range. */
export const USAGE_KEPT_DAYS = 400;

interface CountRow {
  readonly channel_id: string;
  readonly key_id: string | null;
  readonly error_code: string | null;
  readonly counts: UsageCounts;
}

interface LatencyRow {
  readonly channel_id: string | null;
  readonly key_id: string | null;
  readonly handed_over: number[];
  readonly delivered: number[];
}

/** Replaces the organization's counts of an hour, and removes counts that are too old. */
export async function replaceHour(
  tx: TransactionSql,
  args: { organizationId: string; hour: Date; groups: readonly MessageGroup[] },
): Promise<void> {
  const { organizationId, hour, groups } = args;
  const oldest = hoursLater(hour, -24 * USAGE_KEPT_DAYS);
  await tx`
    with same as (delete from usage_hours where organization_id = ${organizationId} and hour = ${hour}),
      old as (delete from usage_hours where organization_id = ${organizationId} and hour < ${oldest}),
      old_latencies as (delete from latency_hours where organization_id = ${organizationId} and hour < ${oldest})
    delete from latency_hours where organization_id = ${organizationId} and hour = ${hour}`;
  const counts = countRows(groups).map(({ counts: states, ...row }) => ({ ...row, ...states }));
  if (counts.length === 0) return;
  await tx`
    with counted as (
      insert into usage_hours
        (organization_id, hour, channel_id, key_id, error_code, queued, sent, delivered, read, failed)
      select ${organizationId}::uuid, ${hour}::timestamptz, r.*
      from jsonb_to_recordset(${JSON.stringify(counts)}::text::jsonb) as r
        (channel_id uuid, key_id uuid, error_code text, queued int, sent int, delivered int, read int, failed int))
    insert into latency_hours (organization_id, hour, channel_id, key_id, handed_over, delivered)
    select ${organizationId}::uuid, ${hour}::timestamptz, r.*
    from jsonb_to_recordset(${JSON.stringify(latencyRows(groups))}::text::jsonb) as r
      (channel_id uuid, key_id uuid, handed_over int[], delivered int[])`;
}

function countRows(groups: readonly MessageGroup[]): CountRow[] {
  const rows = new Map<string, CountRow>();
  for (const { channelId, keyId, errorCode, state, count } of groups) {
    const id = JSON.stringify([channelId, keyId, errorCode]);
    const before = rows.get(id)?.counts ?? NO_COUNTS;
    const counts = addedCounts(before, countsOf(state, count));
    rows.set(id, { channel_id: channelId, key_id: keyId, error_code: errorCode, counts });
  }
  return [...rows.values()];
}

/** Rows for the whole organization, for each channel, and for each key. */
function latencyRows(groups: readonly MessageGroup[]): LatencyRow[] {
  const rows = new Map<string, LatencyRow>();
  for (const group of groups) {
    for (const { channelId, keyId } of subjectsOf(group)) {
      const id = JSON.stringify([channelId, keyId]);
      const before = rows.get(id) ?? { handed_over: [], delivered: [] };
      const [handed_over, delivered] = [
        addedGroup(before.handed_over, group.handedOver, group.count),
        addedGroup(before.delivered, group.delivered, group.count),
      ];
      rows.set(id, { channel_id: channelId, key_id: keyId, handed_over, delivered });
    }
  }
  return [...rows.values()];
}

function subjectsOf({ channelId, keyId }: MessageGroup) {
  return [
    { channelId: null, keyId: null },
    { channelId, keyId: null },
    ...(keyId === null ? [] : [{ channelId: null, keyId }]),
  ];
}

/** Adds values to one bucket of a histogram. @param bucket null for a group without a duration. */
export function addedGroup(histogram: number[], bucket: number | null, count: number): number[] {
  return bucket === null ? histogram : added(histogram, single(bucket, count));
}
