import { eq } from "drizzle-orm";
import type { Orm } from "@/db/client";
import { apiKeys } from "@/db/schema";
import { isUuid } from "@/server/lib/uuid";

/** Returns the key's organization, for work that has only the key's id; null if there is no such key. */
export async function organizationOfKey(orm: Orm, keyId: string): Promise<string | null> {
  if (!isUuid(keyId)) return null;
  const [key] = await orm
    .select({ organizationId: apiKeys.organizationId })
    .from(apiKeys)
    .where(eq(apiKeys.id, keyId));
  return key?.organizationId ?? null;
}
