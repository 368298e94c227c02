import { and, eq, isNull, sql } from "drizzle-orm";
import { apiKeys } from "@/db/schema";
import { recordAudit } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { parseInput } from "@/server/core/input/parse-input";
import { withoutSecrets } from "@/server/platform/redact";
import { isUuid } from "@/server/lib/uuid";
import { revokeKeySchema, type RevokeKeyInput } from "./schemas";

/**
 * Revokes a key with all its secrets: the very next request is refused, on every process. Idempotent, with the same
 * response. An expired key can be revoked. The reason is stored in the audit log.
 * @throws WaypostError `permission_denied`; `key_not_found`, the same for an unknown id and another organization's.
 */
export async function revokeKey(args: {
  ctx: Context;
  input: RevokeKeyInput;
}): Promise<{ id: string; revokedAt: Date }> {
  const { ctx } = args;
  requireCapability(ctx.actor, "integrations.manage_api");
  const { keyId, reason = "" } = parseInput(revokeKeySchema, args.input);
  if (!isUuid(keyId)) throw new WaypostError("key_not_found");
  const isOwnKey = and(eq(apiKeys.organizationId, ctx.actor.organizationId), eq(apiKeys.id, keyId));
  const answer = { id: apiKeys.id, revokedAt: apiKeys.revokedAt };
  return ctx.services.orm.transaction(async (tx) => {
    const [revoked] = await tx
      .update(apiKeys)
      .set({ revokedAt: sql`clock_timestamp()` })
      .where(and(isOwnKey, isNull(apiKeys.revokedAt)))
      .returning(answer);
    if (revoked) {
      await recordAudit(tx, ctx, {
        action: "key.revoked",
        subjectKind: "key",
        subjectId: revoked.id,
        // The reason may contain the found key itself, so secrets are removed.
        detail: reason === "" ? {} : { reason: withoutSecrets(reason) },
      });
    }
    const [key] = revoked ? [revoked] : await tx.select(answer).from(apiKeys).where(isOwnKey);
    if (!key?.revokedAt) throw new WaypostError("key_not_found");
    return { id: key.id, revokedAt: key.revokedAt };
  });
}
