import type { KeyActor } from "@/server/core/actor";
import type { Services } from "@/server/core/context";
import { keyError } from "./authenticate";

/**
 * Checks again that an authenticated key may still act. For long operations, during which it can be revoked.
 * @throws WaypostError `api_key_revoked`, also if its secret's overlap has ended; `api_key_expired`, by the database's
 * clock.
 */
export async function requireLive(
  { sql }: Services,
  { organizationId, keyId, secretId }: KeyActor,
): Promise<void> {
  const [key] = await sql<{ isExpired: boolean }[]>`
    select coalesce(k.expires_at <= clock_timestamp(), false) as "isExpired"
    from api_keys k
    join api_key_secrets s on s.organization_id = k.organization_id and s.key_id = k.id
    where k.organization_id = ${organizationId} and k.id = ${keyId} and s.id = ${secretId}
      and k.revoked_at is null and (s.ends_at is null or s.ends_at > clock_timestamp())`;
  if (!key) throw keyError("api_key_revoked");
  if (key.isExpired) throw keyError("api_key_expired");
}
