import { z } from "zod";
import { members } from "@/db/schema";
import { recordAudit } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { rightsSchema } from "./create";
import { endInvitationsOf } from "./inviter";
import { isMember, lockMember, requireOtherOwner } from "./lock-member";
import { requireMayGive } from "./rights";

export const setRightsSchema = z.strictObject({ memberId: z.string(), ...rightsSchema });

/**
 * Changes a member's role or capabilities, from their next request on. Ends those of their invitations that they may no
 * longer make.
 * @throws WaypostError `permission_denied`; `member_not_found`; `last_owner`; `validation_failed`.
 */
export async function setRights(args: {
  ctx: Context;
  input: z.input<typeof setRightsSchema>;
}): Promise<void> {
  const { ctx } = args;
  requireCapability(ctx.actor, "members.manage");
  const { memberId, role, permissions } = parseInput(setRightsSchema, args.input);
  await ctx.services.orm.transaction(async (tx) => {
    const before = await lockMember(tx, ctx, memberId);
    requireMayGive(ctx.actor, role, before.role);
    if (before.role === "owner" && role !== "owner") await requireOtherOwner(tx, ctx, memberId);
    await tx.update(members).set({ role, permissions }).where(isMember(ctx, memberId));
    await endInvitationsOf(tx, ctx, memberId, { role, isRemoved: false });
    await recordAudit(tx, ctx, {
      action: "member.rights_set",
      subjectKind: "member",
      subjectId: memberId,
      detail: {
        roleBefore: before.role,
        roleAfter: role,
        permissionsBefore: before.permissions,
        permissionsAfter: permissions,
      },
    });
  });
}
