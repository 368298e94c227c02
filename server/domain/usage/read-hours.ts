import type { Executor, SqlFragment } from "@/db/client";
import type { UsageCounts } from "./counts";
import { BUCKET_COUNT } from "./histogram";
import type { Points } from "./points";
import { NIL_UUID } from "@/server/lib/uuid";

/** The subject of a summary: the whole organization, one of its channels, or one of its keys. */
export interface Subject {
  readonly organizationId: string;
  readonly channelId: string | null;
  readonly keyId: string | null;
}

/** Hours from `since` (inclusive) to `until` (exclusive), divided into points. */
export interface HourSpan {
  readonly points: Points;
  readonly since: Date;
  readonly until: Date;
}

type States = Omit<UsageCounts, "accepted">;

/** Counts of one point and error code, of one channel or of one key: `by` says which. */
export type CountedRow = States &
  (
    | { readonly by: "point"; readonly point: number; readonly errorCode: string | null }
    | { readonly by: "channel"; readonly channelId: string }
    | { readonly by: "key"; readonly keyId: string | null }
  );

/** Returns when, by the database's clock, the oldest hour that still changes was counted; null if there is none. */
export async function countedAt(
  sql: Executor,
  { organizationId }: Subject,
  since: Date,
): Promise<Date | null> {
  const [row] = await sql<{ at: Date | null }[]>`
    select min(counted_at) as at from usage_hours where organization_id = ${organizationId} and hour >= ${since}`;
  return row?.at ?? null;
}

/** Reads counted hours: the cost grows with the hours, channels and keys, not with the messages. */
export function readCounts(sql: Executor, subject: Subject, span: HourSpan): Promise<CountedRow[]> {
  return sql<CountedRow[]>`
    select case grouping(point, channel_id, key_id) when 3 then 'point' when 5 then 'channel' else 'key' end as by,
      point, channel_id as "channelId", key_id as "keyId", error_code as "errorCode", sum(queued)::int as queued,
      sum(sent)::int as sent, sum(delivered)::int as delivered, sum(read)::int as read, sum(failed)::int as failed
    from (
      select ${pointOf(sql, span)} as point, h.* from usage_hours h
      where h.organization_id = ${subject.organizationId} and h.hour >= ${span.since} and h.hour < ${span.until}
        and (${subject.channelId}::uuid is null or h.channel_id = ${subject.channelId})
        and (${subject.keyId}::uuid is null or h.key_id = ${subject.keyId})
    ) h
    group by grouping sets ((point, error_code), (channel_id), (key_id))`;
}

export interface LatencyRow {
  readonly point: number;
  readonly handedOver: number[];
  readonly delivered: number[];
}

/** Reads one row per hour, whatever the subject is. The expression must equal the index's, without parameters in it. */
export function readLatencies(sql: Executor, subject: Subject, span: HourSpan): Promise<LatencyRow[]> {
  const summed = (column: "handed_over" | "delivered") =>
    sql.unsafe(
      Array.from(
        { length: BUCKET_COUNT },
        (_, bucket) => `coalesce(sum(${column}[${bucket + 1}]), 0)::int`,
      ).join(),
    );
  return sql<LatencyRow[]>`
    select ${pointOf(sql, span)} as point, array[${summed("handed_over")}] as "handedOver",
      array[${summed("delivered")}] as delivered
    from latency_hours h
    where h.organization_id = ${subject.organizationId}
      and coalesce(h.channel_id, h.key_id, ${sql.unsafe(`'${NIL_UUID}'`)}) = ${subject.channelId ?? subject.keyId ?? NIL_UUID}::uuid
      and h.hour >= ${span.since} and h.hour < ${span.until}
    group by 1`;
}

export interface RefusalRow {
  readonly point: number;
  readonly code: string;
  readonly refused: number;
}

export function readRefusals(sql: Executor, subject: Subject, span: HourSpan): Promise<RefusalRow[]> {
  return sql<RefusalRow[]>`
    select ${pointOf(sql, span)} as point, h.code, sum(h.refused)::int as refused from refusal_hours h
    where h.organization_id = ${subject.organizationId} and h.hour >= ${span.since} and h.hour < ${span.until}
      and (${subject.keyId}::uuid is null or h.key_id = ${subject.keyId})
    group by 1, 2`;
}

function pointOf(sql: Executor, { points }: HourSpan): SqlFragment {
  const starts = `{${points.starts.map((start) => start.toISOString()).join(",")}}`;
  // Inside a `select`, the list is parsed from its text once, not for each row.
  return sql`width_bucket(h.hour, (select ${starts}::text::timestamptz[])) - 1`;
}
