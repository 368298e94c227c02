import { sql } from "drizzle-orm";
import { z } from "zod";
import { members } from "@/db/schema";
import { recordAudit } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { endInvitationsOf } from "./inviter";
import { isMember, lockMember, requireOtherOwner } from "./lock-member";
import { requireMayGive } from "./rights";

export const removeMemberSchema = z.strictObject({ memberId: z.string() });

/**
 * Ends a membership, from the member's next request on. Keys that they created keep working; their open invitations
 * end.
 * @throws WaypostError `permission_denied`; `member_not_found`; `last_owner`.
 */
export async function removeMember(args: {
  ctx: Context;
  input: z.input<typeof removeMemberSchema>;
}): Promise<void> {
  const { ctx } = args;
  requireCapability(ctx.actor, "members.manage");
  const { memberId } = parseInput(removeMemberSchema, args.input);
  await ctx.services.orm.transaction(async (tx) => {
    const before = await lockMember(tx, ctx, memberId);
    requireMayGive(ctx.actor, before.role);
    if (before.role === "owner") await requireOtherOwner(tx, ctx, memberId);
    await tx
      .update(members)
      .set({ removedAt: sql`clock_timestamp()` })
      .where(isMember(ctx, memberId));
    await endInvitationsOf(tx, ctx, memberId, { role: before.role, isRemoved: true });
    await recordAudit(tx, ctx, {
      action: "member.removed",
      subjectKind: "member",
      subjectId: memberId,
      detail: { role: before.role, permissions: before.permissions },
    });
  });
}
