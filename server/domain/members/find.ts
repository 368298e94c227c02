import { and, eq, isNull } from "drizzle-orm";
import { members } from "@/db/schema";
import type { MemberActor } from "@/server/core/actor";
import type { Person } from "@/server/core/actor";
import type { Services } from "@/server/core/context";
import { isUuid } from "@/server/lib/uuid";

/** The person as a member of the organization; null where they aren't one, or there is none. */
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
