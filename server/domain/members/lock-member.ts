import { and, eq, isNull, ne } from "drizzle-orm";
import type { OrmTransaction } from "@/db/client";
import { members, organizations } from "@/db/schema";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { isUuid } from "@/server/lib/uuid";

/**
 * Returns the member's rights, and locks the organization's members against other changes.
 * @throws WaypostError `member_not_found`.
 */
export async function lockMember(tx: OrmTransaction, ctx: Context, memberId: string) {
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

/** SQL: the row of a member of the organization, even a removed one. */
export function isMember(ctx: Context, memberId: string) {
  return and(eq(members.organizationId, ctx.actor.organizationId), eq(members.id, memberId));
}

/**
 * Checks that there is another owner. Call it after `lockMember`, so that the result stays true. @throws WaypostError
 * `last_owner`.
 */
export async function requireOtherOwner(tx: OrmTransaction, ctx: Context, memberId: string): Promise<void> {
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

/**
 * Serializes changes of one organization's members and invitations: otherwise two owners who remove each other would
 * leave none. Must be the first lock of its transaction.
 */
export async function lockMembers(tx: OrmTransaction, organizationId: string): Promise<void> {
  await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
    .for("no key update");
}
