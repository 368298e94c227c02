import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { isUuid } from "@/server/lib/uuid";

/**
 * Checks that the organization has the key. @throws WaypostError `key_not_found`, the same for an unknown or malformed
 * id and another organization's key.
 */
export async function requireKnownKey({ services, actor }: Context, keyId: string): Promise<void> {
  const rows = isUuid(keyId)
    ? await services.sql`
        select from api_keys where id = ${keyId} and organization_id = ${actor.organizationId}`
    : [];
  if (rows.length === 0) throw new WaypostError("key_not_found", { field: "keyId" });
}
