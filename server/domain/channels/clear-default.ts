import { and, eq } from "drizzle-orm";
import type { OrmTransaction } from "@/db/client";
import { channels, organizations } from "@/db/schema";

/**
 * Makes none of the organization's channels its default. Holds the organization's row, so that of two that would become
 * the default at once the later one does.
 * @returns the id of the channel that was it; null where there was none.
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
