import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { invitations } from "@/db/schema";
import { recordAudit } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { parseInput } from "@/server/core/input/parse-input";
import { isUuid } from "@/server/lib/uuid";
import { requireMayWithdraw } from "./rights";

export const withdrawInvitationSchema = z.strictObject({ invitationId: z.string() });

/**
 * Withdraws an invitation. Only owners can withdraw an owner's.
 * @throws WaypostError `permission_denied`; `link_invalid` for one that is unknown, accepted or withdrawn.
 */
export async function withdrawInvitation(args: {
  ctx: Context;
  input: z.input<typeof withdrawInvitationSchema>;
}): Promise<void> {
  const { ctx } = args;
  requireCapability(ctx.actor, "members.manage");
  const { invitationId } = parseInput(withdrawInvitationSchema, args.input);
  if (!isUuid(invitationId)) throw new WaypostError("link_invalid");
  const i = invitations;
  await ctx.services.orm.transaction(async (tx) => {
    const [withdrawn] = await tx
      .update(i)
      .set({ revokedAt: sql`clock_timestamp()` })
      .where(
        and(
          eq(i.organizationId, ctx.actor.organizationId),
          eq(i.id, invitationId),
          isNull(i.acceptedAt),
          isNull(i.revokedAt),
        ),
      )
      .returning({ email: i.email, role: i.role });
    if (!withdrawn) throw new WaypostError("link_invalid");
    requireMayWithdraw(ctx.actor, withdrawn.role);
    await recordAudit(tx, ctx, {
      action: "member.invitation_withdrawn",
      subjectKind: "invitation",
      subjectId: invitationId,
      detail: { email: withdrawn.email },
    });
  });
}
