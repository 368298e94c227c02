import { eq } from "drizzle-orm";
import type { OrmTransaction } from "@/db/client";
import { verifications } from "@/db/schema";

/** Ends a person's unfinished processes: sign-ins that wait for a code, and links for a new password. */
export async function endBegun(tx: OrmTransaction, userId: string): Promise<void> {
  // better-auth stores both under the user's id; its counters have other values.
  await tx.delete(verifications).where(eq(verifications.value, userId));
}
