import type { SqlFragment, Executor } from "@/db/client";
import type { WebhookDeliveryState, WebhookEventType } from "@/db/schema";
import { allowedChannels } from "@/server/core/channel-access";
import type { Context } from "@/server/core/context";
import { NIL_UUID, MAX_UUID } from "@/server/lib/uuid";
import type { DeliveryOrder } from "./delivery-schemas";
import { settledUntil } from "../outbox/settled-until";
import { isSubjectOfChannels } from "../outbox/subject";

/** Filters deliveries. An absent field filters nothing. */
export interface DeliveryFilter {
  readonly state?: WebhookDeliveryState | undefined;
  readonly type?: WebhookEventType | undefined;
  /** The message of its events. */
  readonly messageId?: string | undefined;
  /** The contact of its events. */
  readonly contactId?: string | undefined;
  /** Inclusive. */
  readonly since?: string | undefined;
  /** Exclusive. */
  readonly until?: string | undefined;
}

/** The position that the next page starts after. The time is PostgreSQL's text: a `Date` has no microseconds. */
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

/** Maximum rows examined per page. A page costs the same however many rows there are, and however few match. */
const EXAMINED_MAX = 10_000;

/**
 * Selects deliveries to an endpoint, by the time of their events. Oldest first, only those that no later commit can
 * precede, so that continuing from there misses none.
 * @returns the first `rowsMax` matches, and the position at which the search stopped: null if it examined everything.
 */
export async function selectDeliveries(
  ctx: Context,
  selection: DeliverySelection,
): Promise<{ found: DeliveryPosition[]; examinedUntil: DeliveryPosition | null }> {
  const { sql } = ctx.services;
  const { filter, rowsMax } = selection;
  const inOrder = selection.order === "newest" ? sql`d.created_at desc, d.id desc` : sql`d.created_at, d.id`;
  const examined = (columns: SqlFragment) => sql`
    select ${columns} from ${subjectOf(filter) === null ? sql`webhook_deliveries` : sql`of_subject`} d
    where d.endpoint_id = ${selection.endpointId} and d.organization_id = ${ctx.actor.organizationId}
      and ${within(ctx, selection)}
    order by ${inOrder}`;
  // One statement has one snapshot, so the matches and the stop position agree. Once a page is full, nothing more is
  // examined.
  const [page] = await sql<{ found: DeliveryPosition[]; examinedUntil: DeliveryPosition | null }[]>`
    with ${ofSubject(ctx, filter)} matching as materialized (
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

/** Null if the filter names neither a message nor a contact. */
const subjectOf = ({ messageId, contactId }: DeliveryFilter) => messageId ?? contactId ?? null;

/** The deliveries of one message or contact are few, and an index finds them. An event is never about both. */
function ofSubject({ services: { sql }, actor }: Context, filter: DeliveryFilter): SqlFragment {
  if (subjectOf(filter) === null) return sql``;
  const { messageId, contactId } = filter;
  return sql`of_subject as materialized (
    select d.* from webhook_events v
    join webhook_deliveries d on d.event_id = v.id and d.organization_id = v.organization_id
    where ${messageId === undefined ? sql`true` : sql`v.message_id = ${messageId}`}
      and ${contactId === undefined ? sql`true` : sql`v.contact_id = ${contactId}`}
      and v.organization_id = ${actor.organizationId}),`;
}

/** The first page's position, in either order. */
const NEWEST: DeliveryPosition = { at: "infinity", id: MAX_UUID };
export const OLDEST: DeliveryPosition = { at: "-infinity", id: NIL_UUID };

/**
 * SQL: the conditions that an index serves. The starting end is always exactly one bound: with two, or with none, a
 * plan may start at the very first delivery for a later page.
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

/**
 * Each of these has an index. The state is in the statement's text, because a plan couldn't choose the index for a
 * parameter.
 */
const INDEXED_STATES: readonly string[] = ["failed", "skipped"];

function matching(ctx: Context, filter: DeliveryFilter): SqlFragment {
  const { state, type } = { state: filter.state ?? null, type: filter.type ?? null };
  return ctx.services.sql`(${state}::text is null or d.state = ${state})
    and (${type}::text is null or d.type = ${type}) and ${visibleTo(ctx)}`;
}

/**
 * SQL condition on deliveries `d` that the actor may see. An endpoint can have had other channels before: a key that is
 * limited to channels doesn't see deliveries of those.
 */
export function visibleTo(ctx: Context): SqlFragment {
  const { sql } = ctx.services;
  const allowed = allowedChannels(ctx);
  return allowed === null ? sql`true` : isOfChannels(sql, sql`${[...allowed]}::uuid[]`);
}

/**
 * SQL: whether a delivery under the name `d` is about a message or a contact of one of the channels, or about none, as tests are.
 * Evaluated row by row, so that a page that fills quickly doesn't read every event.
 */
export function isOfChannels(sql: Executor, channelIds: SqlFragment): SqlFragment {
  return sql`coalesce((
    select ${isSubjectOfChannels(sql, channelIds)} from webhook_events v
    where v.id = d.event_id and v.organization_id = d.organization_id), true)`;
}
