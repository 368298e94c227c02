import type { Executor, SqlFragment } from "@/db/client";
import type { Context } from "@/server/core/context";
import type { ListTotal } from "@/server/core/paging";
import { MAX_UUID, NIL_UUID } from "@/server/lib/uuid";
import { wordsOf } from "@/server/core/audit/actions";
import { type Named, WEBHOOK_NAME } from "./find-named";
import type { AuditView } from "./view";

/** Filters acts. An absent field filters nothing. */
export interface AuditFilter {
  readonly action?: string | undefined;
  readonly actorKind?: string | undefined;
  /** Id of a key or member, or the name of a job or command. */
  readonly actorId?: string | undefined;
  readonly subjectKind?: string | undefined;
  readonly subjectId?: string | undefined;
  /** Inclusive. */
  readonly since?: string | undefined;
  /** Exclusive. */
  readonly until?: string | undefined;
}

/** The position that the next page starts after. The time is PostgreSQL's text: a `Date` has no microseconds. */
export interface AuditPosition {
  readonly at: string;
  readonly id: string;
}

export interface SelectedAudit {
  readonly position: AuditPosition;
  readonly view: AuditView;
}

/** Maximum rows examined per page. A page costs the same however many rows there are, and however few match. */
const EXAMINED_MAX = 10_000;
/** The same if an index finds the rows of each named thing and member. There are at most some dozens of those. */
const EXAMINED_OF_NAMED_MAX = 500;

interface Row extends Omit<AuditView, "words" | "actor" | "subject"> {
  readonly atText: string;
  readonly actorKind: AuditView["actor"]["kind"];
  readonly actorId: string;
  readonly actorName: string | null;
  readonly actorEmail: string | null;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly subjectName: string | null;
}

interface Examination {
  readonly filter: AuditFilter;
  readonly named: Named | null;
  readonly after: AuditPosition | null;
}

/** SQL: the acts that a page examines, newest first, without the maximum. */
function examinedBy({ services: { sql }, actor }: Context, { filter, named, after }: Examination) {
  const from = sql`audit_log a where a.organization_id = ${actor.organizationId} and ${within(sql, filter, after)}`;
  return {
    examinedMax: named === null ? EXAMINED_MAX : EXAMINED_OF_NAMED_MAX,
    examined: (columns: SqlFragment) => sql`
      select ${columns} from ${from} ${named === null ? sql`` : sql`and a.id in (${idsOfNamed(sql, from, named)})`}
      order by a.created_at desc, a.id desc`,
  };
}

/**
 * Selects acts of the organization, newest first.
 * @param args.named the subjects or actors that the search text matches; null for all.
 * @returns the first `rowsMax` matches, and the position at which the search stopped: null if it examined everything.
 */
export async function selectAudit(
  ctx: Context,
  args: Examination & { rowsMax: number },
): Promise<{ rows: SelectedAudit[]; examinedUntil: AuditPosition | null }> {
  const { sql } = ctx.services;
  const { filter, rowsMax } = args;
  const { examined, examinedMax } = examinedBy(ctx, args);
  // One statement has one snapshot, so the matches and the stop position agree. Once a page is full, nothing more is
  // examined.
  const [found] = await sql<{ rows: Row[]; examinedUntil: AuditPosition | null }[]>`
    with matching as materialized (
      select * from (${examined(sql`a.*`)} limit ${examinedMax}) a where ${matching(sql, filter)}
      order by a.created_at desc, a.id desc limit ${rowsMax}
    )
    select
      (select coalesce(jsonb_agg(r order by r.at desc, r.id desc), '[]') from (${shown(sql)}) r) as rows,
      case when (select count(*) from matching) < ${rowsMax} then
        (select jsonb_build_object('at', e.created_at::text, 'id', e.id)
          from (${examined(sql`a.created_at, a.id`)} offset ${examinedMax - 1} limit 1) e)
      end as "examinedUntil"`;
  return {
    rows: (found?.rows ?? []).map((row) => ({ position: { at: row.atText, id: row.id }, view: viewOf(row) })),
    examinedUntil: found?.examinedUntil ?? null,
  };
}

/** Counts acts of the organization, up to a maximum, and at most as many as one page examines. */
export async function countAudit(
  ctx: Context,
  { countMax, ...of }: Omit<Examination, "after"> & { countMax: number },
): Promise<ListTotal> {
  const { sql } = ctx.services;
  const { examined, examinedMax } = examinedBy(ctx, { ...of, after: null });
  const [found] = await sql<{ count: number; isMore: boolean }[]>`
    with matching as materialized (
      select 1 from (${examined(sql`a.*`)} limit ${examinedMax}) a where ${matching(sql, of.filter)}
      limit ${countMax + 1}
    ), counted as (select count(*)::int as count from matching)
    select least(count, ${countMax}) as count,
      case when count > ${countMax} then true
        else exists (${examined(sql`1`)} offset ${examinedMax - 1} limit 1) end as "isMore"
    from counted`;
  return found ?? { count: 0, isMore: false };
}

/** SQL: the newest acts on the named subjects or by the named members, up to the maximum examined. */
function idsOfNamed(sql: Executor, from: SqlFragment, { subjectIds, memberIds }: Named): SqlFragment {
  const newest = sql`order by a.created_at desc, a.id desc limit ${EXAMINED_OF_NAMED_MAX}`;
  return sql`
    select n.id from (
      select s.* from unnest(${subjectIds}::uuid[]) as t (id) cross join lateral (
        select a.created_at, a.id from ${from} and a.subject_id = t.id ${newest}) s
      union
      select s.* from unnest(${memberIds}::text[]) as t (id) cross join lateral (
        select a.created_at, a.id from ${from} and a.actor_kind = 'member' and a.actor_id = t.id ${newest}) s
      order by created_at desc, id desc limit ${EXAMINED_OF_NAMED_MAX}) n`;
}

/** Before every act, and after every act. */
const NEWEST: AuditPosition = { at: "infinity", id: MAX_UUID };

/**
 * SQL: the conditions that an index serves. The newer end is always exactly one bound: with two, or with none, a plan
 * may start at the newest act for a later page. If one subject is requested, all examined rows belong to it.
 */
function within(sql: Executor, filter: AuditFilter, after: AuditPosition | null): SqlFragment {
  const { since = "-infinity", until = "infinity", subjectId } = filter;
  const { at, id } = after ?? NEWEST;
  const time = (text: string) => sql`${text}::text::timestamptz`;
  return sql`(a.created_at, a.id) < (least(${time(at)}, ${time(until)}),
      case when ${time(at)} < ${time(until)} then ${id} else ${NIL_UUID} end::uuid)
    and a.created_at >= ${time(since)}
    ${subjectId === undefined ? sql`` : sql`and a.subject_id = ${subjectId}::uuid`}`;
}

function matching(sql: Executor, filter: AuditFilter): SqlFragment {
  const { action = null, actorKind = null, actorId = null, subjectKind = null } = filter;
  return sql`(${action}::text is null or a.action = ${action})
    and (${actorKind}::text is null or a.actor_kind = ${actorKind})
    and (${actorId}::text is null or a.actor_id = ${actorId})
    and (${subjectKind}::text is null or a.subject_kind = ${subjectKind})`;
}

/** SQL: the rows, with the names of actors and subjects. */
function shown(sql: Executor): SqlFragment {
  return sql`
    select a.id, a.created_at as at, a.created_at::text as "atText", a.action, a.actor_kind as "actorKind",
      a.actor_id as "actorId", coalesce(u.name, k.name, case a.actor_kind when 'system' then a.actor_id end) as "actorName",
      u.email as "actorEmail", a.subject_kind as "subjectKind", a.subject_id as "subjectId",
      ${subjectName(sql)} as "subjectName", a.address, a.request_id as "requestId", a.detail
    from matching a
    left join members m on m.organization_id = a.organization_id
      and m.id = case a.actor_kind when 'member' then a.actor_id::uuid end
    left join users u on u.id = m.user_id
    left join api_keys k on k.organization_id = a.organization_id
      and k.id = case a.actor_kind when 'key' then a.actor_id::uuid end`;
}

function subjectName(sql: Executor): SqlFragment {
  return sql`case a.subject_kind
    when 'organization' then (select name from organizations o
      where o.id = a.subject_id and o.id = a.organization_id)
    when 'member' then (select su.name from members sm join users su on su.id = sm.user_id
      where sm.id = a.subject_id and sm.organization_id = a.organization_id)
    when 'key' then (select name from api_keys s
      where s.id = a.subject_id and s.organization_id = a.organization_id)
    when 'channel' then (select name from channels s
      where s.id = a.subject_id and s.organization_id = a.organization_id)
    when 'template' then (select name from templates s
      where s.id = a.subject_id and s.organization_id = a.organization_id)
    when 'webhook' then (select ${sql.unsafe(WEBHOOK_NAME)} from webhook_endpoints s
      where s.id = a.subject_id and s.organization_id = a.organization_id)
    when 'contact' then (select name from contacts s
      where s.id = a.subject_id and s.organization_id = a.organization_id)
    when 'conversation' then (select c.name from conversations v
      join contacts c on c.id = v.contact_id and c.organization_id = v.organization_id
      where v.id = a.subject_id and v.organization_id = a.organization_id)
    end`;
}

/** Builds the view. Rows came through JSON, so times are text. */
function viewOf(row: Row): AuditView {
  const { id, action, address, requestId, detail } = row;
  return {
    id,
    at: new Date(row.at),
    action,
    words: wordsOf(action),
    actor: { kind: row.actorKind, id: row.actorId, name: row.actorName, email: row.actorEmail },
    subject: { kind: row.subjectKind, id: row.subjectId, name: row.subjectName },
    address,
    requestId,
    detail,
  };
}
