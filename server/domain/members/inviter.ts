import { and, eq, isNull, sql } from "drizzle-orm";
import type { OrmTransaction } from "@/db/client";
import { invitations } from "@/db/schema";
import type { Role } from "@/server/core/actor";
import { recordAudit } from "@/server/core/audit/record";
import { CAPABILITIES } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";

/** What an invitation rests on, as it is now. */
export interface Inviter {
  readonly role: Role;
  readonly isRemoved: boolean;
}

const INVITING: readonly Role[] = CAPABILITIES["members.manage"].roles;

/** Whether the inviter can still give the role that they invited to. Null is the operator, who always can. */
export function canInviteTo(role: Role, inviter: Inviter | null): boolean {
  if (inviter === null) return true;
  return (
    !inviter.isRemoved && INVITING.includes(inviter.role) && (role !== "owner" || inviter.role === "owner")
  );
}

/**
 * Ends the open invitations that a member made and couldn't make any more, each with its line in the audit log. Under
 * `lockMembers`, after the change of the member.
 */
export async function endInvitationsOf(
  tx: OrmTransaction,
  ctx: Context,
  memberId: string,
  after: Inviter,
): Promise<void> {
  if (canInviteTo("owner", after)) return;
  const i = invitations;
  const ended = await tx
    .update(i)
    .set({ revokedAt: sql`clock_timestamp()` })
    .where(
      and(
        eq(i.organizationId, ctx.actor.organizationId),
        eq(i.invitedBy, memberId),
        isNull(i.acceptedAt),
        isNull(i.revokedAt),
        canInviteTo("admin", after) ? eq(i.role, "owner") : undefined,
      ),
    )
    .returning({ id: i.id, email: i.email });
  for (const { id, email } of ended) {
    await recordAudit(tx, ctx, {
      action: "member.invitation_ended",
      subjectKind: "invitation",
      subjectId: id,
      detail: { email },
    });
  }
}
