import type { Services } from "@/server/core/context";

/** Cached keys. A key never changes and grants no rights, so caching it hides no revocation. */
const caches = new WeakMap<Services["vault"], Map<string, Buffer>>();
const CACHED_MAX = 10_000;

/** The encryption purpose of an organization's fingerprint key. */
export function fingerprintPurpose(organizationId: string): string {
  return `organization-fingerprint:${organizationId}`;
}

/** Returns the HMAC key for fingerprints of the organization's request bodies. */
export async function fingerprintKey(
  services: Pick<Services, "sql" | "vault">,
  organizationId: string,
): Promise<Buffer> {
  const cache = caches.get(services.vault) ?? new Map<string, Buffer>();
  caches.set(services.vault, cache);
  const known = cache.get(organizationId);
  if (known) return known;
  const [row] = await services.sql<{ encrypted: string }[]>`
    select fingerprint_key_encrypted as encrypted from organizations where id = ${organizationId}`;
  if (!row) throw new Error("The organization of an actor doesn't exist");
  const key = Buffer.from(
    services.vault.decrypt(row.encrypted, fingerprintPurpose(organizationId)),
    "base64url",
  );
  if (cache.size >= CACHED_MAX) cache.clear();
  cache.set(organizationId, key);
  return key;
}
