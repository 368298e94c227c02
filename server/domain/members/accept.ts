import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { OrmTransaction } from "@/db/client";
import { invitations, members, newId, users } from "@/db/schema";
import type { MemberActor } from "@/server/core/actor";
import { recordAudit } from "@/server/core/audit/record";
import type { OpenContext } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { parseInput } from "@/server/core/input/parse-input";
import { nameSchema } from "@/server/lib/text";
import { type Inviter, canInviteTo } from "./inviter";
import { lockMembers } from "./lock-member";
import { openInvitation } from "./open-invitation";
import { hashOfToken, tokenSchema } from "./token";
import {
  insertUser,
  passwordSchema,
  requirePasswordIsOwn,
  withPasswordHash,
} from "@/server/domain/auth/user";

export const acceptInvitationSchema = z.strictObject({
  token: tokenSchema,
  /** For people without an account. The address is that of the invitation. */
  account: z.strictObject({ name: nameSchema, password: passwordSchema }).optional(),
});

/**
 * Accepts an invitation, once: as the account of its address, which people without one create here.
 * @throws WaypostError `link_invalid`; `inviter_gone`; `not_signed_in` if the address has an account that the request
 * isn't signed in to; `validation_failed`.
 */
export async function acceptInvitation(args: {
  ctx: OpenContext;
  input: z.input<typeof acceptInvitationSchema>;
}): Promise<{ organizationId: string }> {
  const { ctx } = args;
  const { token, account } = parseInput(acceptInvitationSchema, args.input);
  const { email } = await openInvitation({ ctx, input: { token } });
  if (account) requirePasswordIsOwn({ ...account, email }, "account.password");
  const made = account ? await withPasswordHash(ctx.services, { ...account, email }) : null;
  return ctx.services.orm.transaction(async (tx) => {
    const invitation = await useInvitation(tx, token);
    const userId = made ? await insertUser(tx, made) : await signedInAs(tx, ctx, email);
    if (userId === null) throw new WaypostError("not_signed_in");
    const actor = await join(tx, ctx, invitation, userId);
    await recordAudit(
      tx,
      { services: ctx.services, actor, requestId: ctx.requestId },
      {
        action: "member.joined",
        subjectKind: "member",
        subjectId: actor.memberId,
        detail: { email, role: invitation.role, permissions: invitation.permissions },
      },
    );
    return { organizationId: invitation.organizationId };
  });
}

type Invitation = typeof invitations.$inferSelect;

/** If two people use one link at the same time, the second finds it used. */
async function useInvitation(tx: OrmTransaction, token: string): Promise<Invitation> {
  const i = invitations;
  const [named] = await tx
    .select({ organizationId: i.organizationId })
    .from(i)
    .where(eq(i.tokenHash, hashOfToken(token)));
  if (!named) throw new WaypostError("link_invalid");
  await lockMembers(tx, named.organizationId);
  const [invitation] = await tx
    .update(i)
    .set({ acceptedAt: sql`clock_timestamp()` })
    .where(
      and(
        eq(i.tokenHash, hashOfToken(token)),
        sql`${i.acceptedAt} is null and ${i.revokedAt} is null and ${i.expiresAt} > clock_timestamp()`,
      ),
    )
    .returning();
  if (!invitation) throw new WaypostError("link_invalid");
  if (!canInviteTo(invitation.role, await inviterOf(tx, invitation))) throw new WaypostError("inviter_gone");
  return invitation;
}

async function inviterOf(
  tx: OrmTransaction,
  { organizationId, invitedBy }: Invitation,
): Promise<Inviter | null> {
  if (invitedBy === null) return null;
  const [member] = await tx
    .select({ role: members.role, removedAt: members.removedAt })
    .from(members)
    .where(and(eq(members.organizationId, organizationId), eq(members.id, invitedBy)));
  return member ? { role: member.role, isRemoved: member.removedAt !== null } : null;
}

async function signedInAs(
  tx: OrmTransaction,
  { person }: OpenContext,
  email: string,
): Promise<string | null> {
  if (person?.email !== email) return null;
  const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.id, person.userId));
  return user?.id ?? null;
}

/** A former member becomes one again, under the same id. */
async function join(
  tx: OrmTransaction,
  { address }: OpenContext,
  { organizationId, role, permissions }: Invitation,
  userId: string,
): Promise<MemberActor> {
  const [member] = await tx
    .insert(members)
    .values({ id: newId(), organizationId, userId, role, permissions })
    .onConflictDoUpdate({
      target: [members.organizationId, members.userId],
      set: { role, permissions, removedAt: null },
    })
    .returning({ id: members.id });
  if (!member) throw new Error("The insert of a member returned no row");
  return { kind: "member", organizationId, memberId: member.id, userId, address, role, permissions };
}
