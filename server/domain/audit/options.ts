import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import {
  AUDIT_ACTIONS,
  AUDIT_SUBJECTS,
  type AuditAction,
  type AuditSubject,
} from "@/server/core/audit/actions";

/** Maximum length of the list of choices. Members beyond it can be found by their acts. */
const MEMBERS_MAX = 500;

/** The choices for filtering the list of acts. */
export interface AuditOptions {
  /** In the documentation's order. */
  readonly actions: readonly { readonly name: AuditAction; readonly words: string }[];
  readonly subjects: readonly AuditSubject[];
  /** By name, including former members. */
  readonly members: readonly { readonly id: string; readonly name: string; readonly email: string }[];
}

/** Returns the filter's choices. @throws WaypostError `permission_denied` without `audit.read`. */
export async function auditOptions({ ctx }: { ctx: Context }): Promise<AuditOptions> {
  requireCapability(ctx.actor, "audit.read");
  const members = await ctx.services.sql<{ id: string; name: string; email: string }[]>`
    select m.id, u.name, u.email from members m join users u on u.id = m.user_id
    where m.organization_id = ${ctx.actor.organizationId}
    order by lower(u.name), u.email, m.id limit ${MEMBERS_MAX}`;
  const actions = Object.entries(AUDIT_ACTIONS).map(([name, words]) => ({ name: asAction(name), words }));
  return { actions, subjects: AUDIT_SUBJECTS, members: [...members] };
}

/** Guarantee: the name comes from the table itself. */
function asAction(name: string): AuditAction {
  return name as AuditAction;
}
