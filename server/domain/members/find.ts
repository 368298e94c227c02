import { and, eq, isNull } from "drizzle-orm";
import { members } from "@/db/schema";
import type { MemberActor } from "@/server/core/actor";
import type { Person } from "@/server/core/actor";
import type { Services } from "@/server/core/context";
import { isUuid } from "@/server/lib/uuid";

/** Finds the person's membership in the organization; null if there is no membership or no person. */
export async function memberOf(
  { orm }: Services,
  { userId, address }: Person,
  organizationId: string,
): Promise<MemberActor | null> {
  if (!isUuid(organizationId)) return null;
  const [member] = await orm
    .select({ memberId: members.id, role: members.role, permissions: members.permissions })
    .from(members)
    .where(
      and(eq(members.organizationId, organizationId), eq(members.userId, userId), isNull(members.removedAt)),
    );
  return member ? { kind: "member", organizationId, userId, address, ...member } : null;
}
