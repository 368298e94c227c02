import { eq } from "drizzle-orm";
import type { OrmTransaction } from "@/db/client";
import { organizations } from "@/db/schema";

/**
 * Lets changes of one organization's members and invitations follow one another: two owners who remove each other would leave
 * none. Comes before any other lock of such a transaction.
 */
export async function lockMembers(tx: OrmTransaction, organizationId: string): Promise<void> {
  await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
    .for("no key update");
}
