import { and, eq, isNull, sql } from "drizzle-orm";
import type { OrmTransaction } from "@/db/client";
import { invitations } from "@/db/schema";
import type { Role } from "@/server/core/actor";
import { recordAudit } from "@/server/core/audit/record";
import { CAPABILITIES } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";

/** The current state of the inviter, which an invitation depends on. */
export interface Inviter {
  readonly role: Role;
  readonly isRemoved: boolean;
}

const INVITING: readonly Role[] = CAPABILITIES["members.manage"].roles;

/** Returns whether the inviter could still give the invitation's role. Null is the operator, who always can. */
export function canInviteTo(role: Role, inviter: Inviter | null): boolean {
  if (inviter === null) return true;
  return (
    !inviter.isRemoved && INVITING.includes(inviter.role) && (role !== "owner" || inviter.role === "owner")
  );
}

/**
 * Ends those open invitations of a member that the member may no longer make, each with an audit log entry. Call it
 * under `lockMembers`, after changing the member.
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
