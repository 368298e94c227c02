import type { Role } from "../api/actor";
import { requireCapability } from "../capabilities";
import type { Context } from "../context";

export interface InvitationView {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly permissions: readonly string[];
  readonly expiresAt: Date;
  readonly isExpired: boolean;
  readonly createdAt: Date;
}

/** Of one organization; more wouldn't be read by anybody. */
const SHOWN_MAX = 200;

/** Invitations that nobody has taken up, the newest first. @throws WaypostError `permission_denied`. */
export async function listInvitations({ ctx }: { ctx: Context }): Promise<InvitationView[]> {
  requireCapability(ctx.actor, "members.manage");
  return ctx.services.sql<InvitationView[]>`
    select id, email, role, permissions, expires_at as "expiresAt", created_at as "createdAt",
      expires_at <= clock_timestamp() as "isExpired"
    from invitations
    where organization_id = ${ctx.actor.organizationId} and accepted_at is null and revoked_at is null
    order by id desc limit ${SHOWN_MAX}`;
}
