import { and, eq, isNull, ne, sql } from "drizzle-orm";
import { z } from "zod";
import type { OrmTransaction } from "@/db/client";
import { members } from "@/db/schema";
import { recordAudit } from "../audit/record";
import { requireCapability } from "../capabilities";
import type { Context } from "../context";
import { WaypostError } from "../errors";
import { parseInput } from "../parse-input";
import { isUuid } from "../uuid";
import { rightsSchema } from "./create";
import { lockMembers } from "./lock";
import { requireMayGive } from "./rights";

export const setRightsSchema = z.strictObject({ memberId: z.string(), ...rightsSchema });

/**
 * Gives a member another role or other capabilities, from their next request on.
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

export const removeMemberSchema = z.strictObject({ memberId: z.string() });

/**
 * Ends a membership, from the member's next request on. Keys that they made go on working.
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
    await recordAudit(tx, ctx, {
      action: "member.removed",
      subjectKind: "member",
      subjectId: memberId,
      detail: { role: before.role, permissions: before.permissions },
    });
  });
}

async function lockMember(tx: OrmTransaction, ctx: Context, memberId: string) {
  if (!isUuid(memberId)) throw new WaypostError("member_not_found");
  await lockMembers(tx, ctx.actor.organizationId);
  const [member] = await tx
    .select({ role: members.role, permissions: members.permissions })
    .from(members)
    .where(and(isMember(ctx, memberId), isNull(members.removedAt)))
    .for("update");
  if (!member) throw new WaypostError("member_not_found");
  return member;
}

function isMember(ctx: Context, memberId: string) {
  return and(eq(members.organizationId, ctx.actor.organizationId), eq(members.id, memberId));
}

async function requireOtherOwner(tx: OrmTransaction, ctx: Context, memberId: string): Promise<void> {
  const [other] = await tx
    .select({ id: members.id })
    .from(members)
    .where(
      and(
        eq(members.organizationId, ctx.actor.organizationId),
        eq(members.role, "owner"),
        isNull(members.removedAt),
        ne(members.id, memberId),
      ),
    )
    .limit(1);
  if (!other) throw new WaypostError("last_owner");
}
