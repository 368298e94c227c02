import type { DeliveryState } from "@/db/schema";
import type { Executor } from "@/db/client";
import { EDGES_MS } from "./histogram";

/** Messages of one hour that are equal in everything that is counted. */
export interface MessageGroup {
  readonly hour: Date;
  readonly channelId: string;
  readonly keyId: string | null;
  readonly state: DeliveryState;
  /** For failed messages. */
  readonly errorCode: string | null;
  /** Bucket of accepted → handed over; null for messages that weren't. */
  readonly handedOver: number | null;
  /** Bucket of handed over → delivered. */
  readonly delivered: number | null;
  readonly count: number;
}

/**
 * Messages accepted from `since` (inclusive) to `until` (exclusive), with numbers from `from` (inclusive) to `before`
 * (exclusive).
 */
export interface MessageSpan {
  readonly organizationId: string;
  readonly since: Date;
  readonly until: Date;
  readonly from: number;
  readonly before: number;
  /** Only that channel or that key. */
  readonly channelId?: string | null;
  readonly keyId?: string | null;
}

/** Counts the messages of a span, by hour and in groups. Costs one lookup per message in the span. */
export function messagesByHour(sql: Executor, span: MessageSpan): Promise<MessageGroup[]> {
  const { channelId = null, keyId = null } = span;
  // As text, because postgres.js has no such array type. Inside a `select` it is parsed once, not for each row.
  const edges = `{${EDGES_MS.join(",")}}`;
  const bucket = (from: "created_at" | "sent_at", to: "sent_at" | "delivered_at") => sql`
    width_bucket(extract(epoch from m.${sql(to)} - m.${sql(from)})::double precision * 1000,
      (select ${edges}::text::double precision[]))`;
  return sql<MessageGroup[]>`
    select date_trunc('hour', m.created_at, 'UTC') as hour, m.channel_id as "channelId", m.key_id as "keyId", m.state,
      case when m.state = 'failed' then m.error_code end as "errorCode",
      ${bucket("created_at", "sent_at")} as "handedOver", ${bucket("sent_at", "delivered_at")} as delivered,
      count(*)::int as count
    from messages m
    where m.organization_id = ${span.organizationId} and m.accept_seq > 0
      and m.accept_seq >= ${span.from} and m.accept_seq < ${span.before}
      and m.kind = 'outbound' and m.created_at >= ${span.since} and m.created_at < ${span.until}
      and (${channelId}::uuid is null or m.channel_id = ${channelId})
      and (${keyId}::uuid is null or m.key_id = ${keyId})
    group by 1, 2, 3, 4, 5, 6, 7`;
}
