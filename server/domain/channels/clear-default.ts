import { and, eq } from "drizzle-orm";
import type { OrmTransaction } from "@/db/client";
import { channels, organizations } from "@/db/schema";

/**
 * Clears the organization's default channel. Locks the organization's row, so that of two concurrent calls the later
 * one decides the default.
 * @returns the id of the previous default; null if there was none.
 */
export async function clearDefault(tx: OrmTransaction, organizationId: string): Promise<string | null> {
  await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
    .for("no key update");
  const [former] = await tx
    .update(channels)
    .set({ isDefault: false })
    .where(and(eq(channels.organizationId, organizationId), eq(channels.isDefault, true)))
    .returning({ id: channels.id });
  return former?.id ?? null;
}
