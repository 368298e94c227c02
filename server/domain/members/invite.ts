import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import type { OrmTransaction } from "@/db/client";
import { invitations, members, newId, users } from "@/db/schema";
import { recordAudit } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { fromNow } from "@/server/domain/keys/create";
import { parseInput } from "@/server/core/input/parse-input";
import { rightsSchema } from "./create";
import { lockMembers } from "./lock-member";
import { requireMayGive, requireMayWithdraw } from "./rights";
import { newToken } from "./token";
import { emailSchema } from "@/server/domain/auth/user";

const INVITATION_SECONDS = 7 * 24 * 60 * 60;

export const inviteSchema = z.strictObject({
  email: emailSchema,
  role: rightsSchema.role,
  permissions: rightsSchema.permissions.default([]),
});

/**
 * Creates a link by which the owner of that email address can become a member, within seven days. The link's token is
 * only in this response. It replaces an earlier invitation of the address; only an owner can replace an owner's.
 * @throws WaypostError `permission_denied`; `validation_failed`, also for somebody who already is a member.
 */
export async function inviteMember(args: {
  ctx: Context;
  input: z.input<typeof inviteSchema>;
}): Promise<{ id: string; token: string; expiresAt: Date }> {
  const { ctx } = args;
  requireCapability(ctx.actor, "members.manage");
  const { email, role, permissions } = parseInput(inviteSchema, args.input);
  requireMayGive(ctx.actor, role);
  const { organizationId } = ctx.actor;
  const { token, hash } = newToken();
  return ctx.services.orm.transaction(async (tx) => {
    await lockMembers(tx, organizationId);
    await requireNoMember(tx, organizationId, email);
    await withdrawOpen(tx, ctx, email);
    const [made] = await tx
      .insert(invitations)
      .values({
        id: newId(),
        organizationId,
        email,
        role,
        permissions,
        tokenHash: hash,
        invitedBy: ctx.actor.kind === "member" ? ctx.actor.memberId : null,
        expiresAt: fromNow(INVITATION_SECONDS),
      })
      .returning({ id: invitations.id, expiresAt: invitations.expiresAt });
    if (!made) throw new Error("The insert of an invitation returned no row");
    await recordAudit(tx, ctx, {
      action: "member.invited",
      subjectKind: "invitation",
      subjectId: made.id,
      detail: { email, role, permissions },
    });
    return { ...made, token };
  });
}

async function requireNoMember(tx: OrmTransaction, organizationId: string, email: string): Promise<void> {
  const [member] = await tx
    .select({ id: members.id })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.organizationId, organizationId), isNull(members.removedAt), isEmail(email)));
  if (!member) return;
  throw new WaypostError("validation_failed", {
    field: "email",
    message: "`email` already belongs to a member.",
  });
}

const isEmail = (email: string) => sql`lower(${users.email}) = ${email}`;

/**
 * Withdraws the open invitation. @throws WaypostError `permission_denied` if it invites an owner and the actor isn't
 * one.
 */
async function withdrawOpen(tx: OrmTransaction, { actor }: Context, email: string): Promise<void> {
  const i = invitations;
  const withdrawn = await tx
    .update(i)
    .set({ revokedAt: sql`clock_timestamp()` })
    .where(
      and(
        eq(i.organizationId, actor.organizationId),
        sql`lower(${i.email}) = ${email}`,
        isNull(i.acceptedAt),
        isNull(i.revokedAt),
      ),
    )
    .returning({ role: i.role, isOpen: sql<boolean>`${i.expiresAt} > clock_timestamp()` });
  for (const { role, isOpen } of withdrawn) if (isOpen) requireMayWithdraw(actor, role);
}
