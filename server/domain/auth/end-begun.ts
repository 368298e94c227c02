import { eq } from "drizzle-orm";
import type { OrmTransaction } from "@/db/client";
import { verifications } from "@/db/schema";

/** Ends what somebody has begun and not gone on with: sign-ins that wait for a code, and links for a new password. */
export async function endBegun(tx: OrmTransaction, userId: string): Promise<void> {
  // better-auth keeps both under the user's id; what it counts there has other values.
  await tx.delete(verifications).where(eq(verifications.value, userId));
}
