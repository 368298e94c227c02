import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { invitations } from "@/db/schema";
import type { Role } from "../api/actor";
import { recordAudit } from "../audit/record";
import { requireCapability } from "../capabilities";
import type { Context } from "../context";
import { WaypostError } from "../errors";
import { parseInput } from "../parse-input";
import { isUuid } from "../uuid";

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

export const withdrawInvitationSchema = z.strictObject({ invitationId: z.string() });

/**
 * Ends an invitation's link.
 * @throws WaypostError `permission_denied`; `link_invalid` for one that is unknown, taken up or withdrawn.
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
      .returning({ email: i.email });
    if (!withdrawn) throw new WaypostError("link_invalid");
    await recordAudit(tx, ctx, {
      action: "member.invitation_withdrawn",
      subjectKind: "invitation",
      subjectId: invitationId,
      detail: { email: withdrawn.email },
    });
  });
}
