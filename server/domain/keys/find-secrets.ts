import type { Sql } from "@/db/client";
import { createBatcher } from "@/server/lib/batch";
import { perServices } from "@/server/core/context";

/** A stored secret with its key's permissions, as of this moment by the database's clock. */
export interface FoundSecret {
  readonly secretId: string;
  readonly hash: Buffer;
  readonly displayPrefix: string;
  /** Also `revoked` for a secret whose overlap has ended; that takes precedence over `expired`. */
  readonly status: "live" | "revoked" | "expired";
  readonly organizationId: string;
  readonly keyId: string;
  readonly name: string;
  readonly scopes: string[];
  readonly channelIds: string[] | null;
  readonly expiresAt: Date | null;
  readonly sendLimit: number;
  readonly readLimit: number;
}

const HASHES_MAX = 256;
/** More concurrent statements would only make smaller batches. */
const STATEMENTS_MAX = 1;

/** Finds the stored ones among the SHA-256 hashes, in one statement. */
export async function findSecrets(sql: Sql, hashes: readonly Buffer[]): Promise<readonly FoundSecret[]> {
  // Not as `bytea[]`: postgres.js doesn't know that type yet in a pool's first statement.
  const hex = hashes.map((hash) => hash.toString("hex"));
  return sql<FoundSecret[]>`
    select s.id as "secretId", s.hash, s.display_prefix as "displayPrefix",
           case when k.revoked_at is not null or s.ends_at <= clock_timestamp() then 'revoked'
                when k.expires_at <= clock_timestamp() then 'expired'
                else 'live' end as status,
           k.organization_id as "organizationId", k.id as "keyId", k.name, k.scopes, k.channel_ids as "channelIds",
           k.expires_at as "expiresAt", k.send_limit as "sendLimit", k.read_limit as "readLimit"
    from api_key_secrets s
    join api_keys k on k.organization_id = s.organization_id and k.id = s.key_id
    where s.hash = any(array(select decode(hex, 'hex') from unnest(${hex}::text[]) as wanted (hex)))`;
}

/**
 * Finds one secret by its hash, batched with lookups of concurrent requests. Nothing is cached between calls: the
 * statement starts after the call.
 */
export const secretFinder = perServices(({ sql, load }) =>
  createBatcher<Buffer, FoundSecret | null>({
    itemsMax: HASHES_MAX,
    inFlightMax: STATEMENTS_MAX,
    gathered: load.batchSize,
    async run(hashes) {
      const wanted = new Map(hashes.map((hash) => [hash.toString("base64"), hash]));
      const rows = await findSecrets(sql, [...wanted.values()]);
      const found = new Map(rows.map((row) => [row.hash.toString("base64"), row]));
      return hashes.map((hash) => found.get(hash.toString("base64")) ?? null);
    },
  }),
);
