import { z } from "zod";
import { members, newId } from "@/db/schema";
import { ROLES, type SystemActor } from "@/server/core/actor";
import { recordAudit } from "@/server/core/audit/record";
import { isGrantable } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { parseInput } from "@/server/core/input/parse-input";
import { checkPasswordIsOwn, insertUser, newUserShape, withPasswordHash } from "@/server/domain/auth/user";

/** A member's rights: a role, and additional capabilities. */
export const rightsSchema = {
  role: z.enum(ROLES),
  permissions: z.array(z.string().refine(isGrantable, "must be a capability that you can give")),
} as const;

const createMemberSchema = z
  .strictObject({
    ...newUserShape,
    role: rightsSchema.role,
    permissions: rightsSchema.permissions.default([]),
  })
  .superRefine(checkPasswordIsOwn);

/**
 * Creates a user with a membership in the organization. For Waypost's own use only; members invite one another.
 * @throws WaypostError `validation_failed`, also if the email address (in any case) already has an account.
 */
export async function createMember(args: {
  ctx: Context<SystemActor>;
  input: z.input<typeof createMemberSchema>;
}): Promise<{ memberId: string; userId: string }> {
  const { ctx } = args;
  const { role, permissions, ...user } = parseInput(createMemberSchema, args.input);
  const prepared = await withPasswordHash(ctx.services, user);
  const memberId = newId();
  return ctx.services.orm.transaction(async (tx) => {
    const userId = await insertUser(tx, prepared);
    if (userId === null) {
      throw new WaypostError("validation_failed", {
        message: "`email` already belongs to another account.",
        field: "email",
      });
    }
    const { organizationId } = ctx.actor;
    await tx.insert(members).values({ id: memberId, organizationId, userId, role, permissions });
    await recordAudit(tx, ctx, {
      action: "member.created",
      subjectKind: "member",
      subjectId: memberId,
      detail: { email: user.email, role, permissions },
    });
    return { memberId, userId };
  });
}
