import { and, eq, sql } from "drizzle-orm";
import type { OrmTransaction } from "@/db/client";
import { apiKeySecrets } from "@/db/schema";
import { recordAudit } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { parseInput } from "@/server/core/input/parse-input";
import { isUuid } from "@/server/lib/uuid";
import { endFormerSecretSchema, type EndFormerSecretInput } from "./schemas";

/**
 * Ends a key's previous secret before its overlap does: the very next request with it is refused, on every process, and
 * the current secret keeps working. Does nothing to one that has ended.
 * @throws WaypostError `permission_denied`; `key_not_found`, the same for an unknown id and another organization's, of
 * the key or of the secret; `validation_failed` for the key's current secret.
 */
export async function endFormerSecret(args: {
  ctx: Context;
  input: EndFormerSecretInput;
}): Promise<{ endedAt: Date }> {
  const { ctx } = args;
  requireCapability(ctx.actor, "integrations.manage_api");
  const { keyId, secretId } = parseInput(endFormerSecretSchema, args.input);
  if (!isUuid(keyId) || !isUuid(secretId)) throw new WaypostError("key_not_found");
  return ctx.services.orm.transaction(async (tx) => {
    const { secret, isEnded } = await lockFormer(tx, ctx, { keyId, secretId });
    if (isEnded) return { endedAt: secret.endsAt };
    const endedAt = await end(tx, secret);
    await recordAudit(tx, ctx, {
      action: "key.former_secret_ended",
      subjectKind: "key",
      subjectId: keyId,
      detail: {
        shownPrefix: secret.displayPrefix,
        lastFour: secret.lastFour,
        endsAt: { from: secret.endsAt, to: endedAt },
      },
    });
    return { endedAt };
  });
}

type Secret = typeof apiKeySecrets.$inferSelect;
type FormerSecret = Secret & { readonly endsAt: Date };

async function lockFormer(tx: OrmTransaction, ctx: Context, ids: { keyId: string; secretId: string }) {
  const s = apiKeySecrets;
  const [found] = await tx
    .select({
      secret: s,
      isEnded: sql<boolean>`coalesce(${s.endsAt} <= clock_timestamp(), false)`,
    })
    .from(s)
    .where(
      and(eq(s.organizationId, ctx.actor.organizationId), eq(s.keyId, ids.keyId), eq(s.id, ids.secretId)),
    )
    .for("no key update");
  if (!found) throw new WaypostError("key_not_found");
  const { secret, isEnded } = found;
  const { endsAt } = secret;
  if (endsAt === null) {
    throw new WaypostError("validation_failed", {
      field: "secretId",
      message: "`secretId` is the key's current secret. It ends when the key gets a new secret.",
    });
  }
  return { secret: { ...secret, endsAt }, isEnded };
}

async function end(tx: OrmTransaction, { organizationId, id }: FormerSecret): Promise<Date> {
  const s = apiKeySecrets;
  const [ended] = await tx
    .update(s)
    .set({ endsAt: sql`clock_timestamp()` })
    .where(and(eq(s.organizationId, organizationId), eq(s.id, id)))
    .returning({ at: s.endsAt });
  if (!ended?.at) throw new Error("A locked secret vanished");
  return ended.at;
}
