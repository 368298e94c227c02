import { and, asc, eq, isNull } from "drizzle-orm";
import { members, organizations } from "@/db/schema";
import type { Role } from "@/server/core/actor";
import type { PersonContext } from "@/server/core/context";

/** The signed-in person and the organizations of which they are a member, by name. */
export interface Me {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly hasTwoFactor: boolean;
  readonly organizations: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
}

export async function readMe({ ctx }: { ctx: PersonContext }): Promise<Me> {
  const { services, person } = ctx;
  const { userId, email, name, hasTwoFactor } = person;
  const memberships = await services.orm
    .select({ id: organizations.id, name: organizations.name, role: members.role })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(and(eq(members.userId, userId), isNull(members.removedAt)))
    .orderBy(asc(organizations.name), asc(organizations.id));
  return { userId, email, name, hasTwoFactor, organizations: memberships };
}
