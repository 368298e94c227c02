import type { Context } from "@/server/core/context";
import type { NamedMember } from "./get";

/** A change of a conversation's state or assignee, from the audit log. It has no words of the customer. */
export interface ActEntry {
  readonly kind: "act";
  readonly id: string;
  readonly at: Date;
  /** `reassigned`: it isn't known any more to whom. */
  readonly act: "closed" | "reopened" | "assigned" | "unassigned" | "reassigned";
  /** Null for Waypost's own work. */
  readonly by: NamedMember | null;
  /** Null unless `assigned`. */
  readonly assignee: NamedMember | null;
}

/** Maximum number of changes on one page. */
const ACTS_MAX = 100;

/** Audited actions that the timeline shows. Notes are among the messages. */
const ACTIONS = ["conversation.closed", "conversation.reopened", "conversation.assigned"];

interface Row extends Omit<ActEntry, "kind" | "by" | "assignee"> {
  readonly byId: string | null;
  readonly byName: string | null;
  readonly assigneeId: string | null;
  readonly assigneeName: string | null;
}

/** Finds changes of a conversation from `since` on and before `until`, newest first. */
export async function findActs(
  { services: { sql }, actor }: Context,
  threadId: string,
  { since, until }: { since: Date | null; until: Date | null },
): Promise<{ entries: readonly ActEntry[]; isCut: boolean }> {
  const rows = await sql<Row[]>`
    select a.id, a.created_at as at, case
        when a.action = 'conversation.closed' then 'closed'
        when a.action = 'conversation.reopened' then 'reopened'
        when a.assignee_id is not null then 'assigned'
        when a.detail ? 'memberId' then 'unassigned'
        else 'reassigned' end as act,
      b.id as "byId", bu.name as "byName", s.id as "assigneeId", su.name as "assigneeName"
    from (
      select l.*, case l.action when 'conversation.assigned' then (l.detail->>'memberId')::uuid end as assignee_id,
        case l.actor_kind when 'member' then l.actor_id::uuid end as member_id
      from audit_log l
      where l.subject_id = ${threadId} and l.organization_id = ${actor.organizationId}
        and l.created_at >= coalesce(${since?.toISOString() ?? null}::timestamptz, '-infinity')
        and l.created_at < coalesce(${until?.toISOString() ?? null}::timestamptz, 'infinity')
        and l.action = any(${ACTIONS}::text[])
      order by l.created_at desc, l.id desc limit ${ACTS_MAX + 1}) a
    left join members b on b.id = a.member_id and b.organization_id = a.organization_id
    left join users bu on bu.id = b.user_id
    left join members s on s.id = a.assignee_id and s.organization_id = a.organization_id
    left join users su on su.id = s.user_id
    order by a.created_at desc, a.id desc`;
  return { entries: rows.slice(0, ACTS_MAX).map(entryOf), isCut: rows.length > ACTS_MAX };
}

function entryOf({ byId, byName, assigneeId, assigneeName, ...row }: Row): ActEntry {
  return {
    kind: "act",
    ...row,
    by: byId === null ? null : { id: byId, name: byName },
    assignee: assigneeId === null ? null : { id: assigneeId, name: assigneeName },
  };
}
