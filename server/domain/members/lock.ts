import { eq } from "drizzle-orm";
import type { OrmTransaction } from "@/db/client";
import { organizations } from "@/db/schema";

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
