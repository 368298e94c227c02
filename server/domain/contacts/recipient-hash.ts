import { createHmac } from "node:crypto";
import type { Executor } from "@/db/client";
import { canonicalHandle } from "@/server/adapters/whatsapp/handles";
import type { Services } from "@/server/core/context";
import { fingerprintKey } from "@/server/domain/organizations/fingerprint-key";

/** Ensures that no fingerprint of a body ever equals the hash of a number. */
const PREFIX = "refused-recipient:";

/**
 * Returns the keyed hash of each number, in hex, the same for all written forms of it. A refused request stores it in
 * place of its recipient. Without the organization's key nobody can find the number by trying all numbers.
 */
export async function recipientHashes(
  services: Pick<Services, "sql" | "vault">,
  organizationId: string,
  numbers: readonly string[],
): Promise<readonly string[]> {
  if (numbers.length === 0) return [];
  const key = await fingerprintKey(services, organizationId);
  return numbers.map((number) =>
    createHmac("sha256", key)
      .update(PREFIX + canonicalHandle(number))
      .digest("hex"),
  );
}

/** SQL: the hashes as an array of bytes. */
export const hashArray = (sql: Executor, hashes: readonly string[]) =>
  sql`array(select decode(hex, 'hex') from unnest(${[...hashes]}::text[]) as h (hex))`;
