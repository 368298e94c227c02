import type { SqlFragment } from "@/db/client";
import type { WebhookDeliveryState, WebhookEventType } from "@/db/schema";
import { allowedChannels } from "@/server/core/channel-access";
import type { Context } from "@/server/core/context";
import { NIL_UUID } from "@/server/lib/uuid";
import type { DeliveryOrder } from "./delivery-schemas";
import { isOfChannels } from "../events/of-channels";
import { settledUntil } from "../events/settled-until";

/** Which deliveries; all where a field is absent. */
export interface DeliveryFilter {
  readonly state?: WebhookDeliveryState | undefined;
  readonly type?: WebhookEventType | undefined;
  /** Of its events. */
  readonly messageId?: string | undefined;
  /** Then or later. */
  readonly since?: string | undefined;
  /** Before. */
  readonly until?: string | undefined;
}

/** Behind which delivery the next page begins. The time is PostgreSQL's text: a `Date` has no microseconds. */
export interface DeliveryPosition {
  readonly at: string;
  readonly id: string;
}

export interface DeliverySelection {
  readonly endpointId: string;
  readonly filter: DeliveryFilter;
  readonly order: DeliveryOrder;
  /** Null: from the first one on. */
  readonly after: DeliveryPosition | null;
  readonly rowsMax: number;
}

/** Rows that one page looks at: it costs the same however many there are, and however few match. */
const EXAMINED_MAX = 10_000;

/**
 * Deliveries to an endpoint, by when their events arose. Oldest first, only what nothing can come before any more: whoever
 * goes on from there misses none.
 * @returns the first `rowsMax` that match, and where it stopped to look: null when it saw all there is.
 */
export async function selectDeliveries(
  ctx: Context,
  selection: DeliverySelection,
): Promise<{ found: DeliveryPosition[]; examinedUntil: DeliveryPosition | null }> {
  const { sql } = ctx.services;
  const { filter, rowsMax } = selection;
  const inOrder = selection.order === "newest" ? sql`d.created_at desc, d.id desc` : sql`d.created_at, d.id`;
  const examined = (columns: SqlFragment) => sql`
    select ${columns} from ${filter.messageId === undefined ? sql`webhook_deliveries` : sql`of_message`} d
    where d.endpoint_id = ${selection.endpointId} and d.organization_id = ${ctx.actor.organizationId}
      and ${within(ctx, selection)}
    order by ${inOrder}`;
  // One statement sees one moment: what it found and where it stopped agree. Where a page is full, no more is examined.
  const [page] = await sql<{ found: DeliveryPosition[]; examinedUntil: DeliveryPosition | null }[]>`
    with ${ofMessage(ctx, filter)} matching as materialized (
      select d.id, d.created_at from (${examined(sql`d.*`)} limit ${EXAMINED_MAX}) d
      where ${matching(ctx, filter)} order by ${inOrder} limit ${rowsMax}
    )
    select
      (select coalesce(jsonb_agg(jsonb_build_object('at', d.created_at::text, 'id', d.id) order by ${inOrder}), '[]')
        from matching d) as found,
      case when (select count(*) from matching) < ${rowsMax} then
        (select jsonb_build_object('at', d.created_at::text, 'id', d.id)
          from (${examined(sql`d.created_at, d.id`)} offset ${EXAMINED_MAX - 1} limit 1) d)
      end as "examinedUntil"`;
  return page ?? { found: [], examinedUntil: null };
}

/** Those of one message are few, and found by it. */
function ofMessage({ services: { sql }, actor }: Context, { messageId }: DeliveryFilter): SqlFragment {
  if (messageId === undefined) return sql``;
  return sql`of_message as materialized (
    select d.* from webhook_events v
    join webhook_deliveries d on d.event_id = v.id and d.organization_id = v.organization_id
    where v.message_id = ${messageId} and v.organization_id = ${actor.organizationId}),`;
}

const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** The first page's, in either order. */
const NEWEST: DeliveryPosition = { at: "infinity", id: LAST_ID };
export const OLDEST: DeliveryPosition = { at: "-infinity", id: NIL_UUID };

/**
 * What an index finds. The end at which it begins is one bound, always given: with two, or with none, a plan may begin at
 * the very first delivery for a page further on.
 */
function within({ services: { sql } }: Context, { filter, order, after }: DeliverySelection): SqlFragment {
  const since = inUtc(filter.since) ?? "-infinity";
  const until = inUtc(filter.until) ?? "infinity";
  const { state } = filter;
  const time = (text: string) => sql`${text}::text::timestamptz`;
  const { at, id } = after ?? (order === "newest" ? NEWEST : OLDEST);
  const ofState = INDEXED_STATES.includes(state ?? "")
    ? sql`and d.state = ${sql.unsafe(`'${state}'`)}`
    : sql``;
  return order === "newest"
    ? sql`(d.created_at, d.id) < (least(${time(at)}, ${time(until)}),
          case when ${time(at)} < ${time(until)} then ${id} else ${NIL_UUID} end::uuid)
        and d.created_at >= ${time(since)} ${ofState}`
    : sql`(d.created_at, d.id) > (greatest(${time(at)}, ${time(since)}),
          case when ${time(at)} >= ${time(since)} then ${id} else ${NIL_UUID} end::uuid)
        and d.created_at < least(${time(until)}, ${settledUntil(sql)}) ${ofState}`;
}

/** PostgreSQL doesn't know every offset that RFC 3339 allows. */
const inUtc = (time: string | undefined) => (time === undefined ? undefined : new Date(time).toISOString());

/** An index has those of each. Named in the statement's text: by a parameter, a plan wouldn't know that it has. */
const INDEXED_STATES: readonly string[] = ["failed", "skipped"];

function matching(ctx: Context, filter: DeliveryFilter): SqlFragment {
  const { state, type } = { state: filter.state ?? null, type: filter.type ?? null };
  return ctx.services.sql`(${state}::text is null or d.state = ${state})
    and (${type}::text is null or d.type = ${type}) and ${visibleTo(ctx)}`;
}

/**
 * SQL condition on deliveries `d`: those that the actor may see. An endpoint can have had other channels before: a
 * key that is limited to channels doesn't see deliveries of those.
 */
export function visibleTo(ctx: Context): SqlFragment {
  const { sql } = ctx.services;
  const allowed = allowedChannels(ctx);
  return allowed === null ? sql`true` : isOfChannels(sql, sql`${[...allowed]}::uuid[]`);
}
