import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { OrmTransaction } from "@/db/client";
import { apiKeys, apiKeySecrets } from "@/db/schema";
import { recordAudit } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { parseInput } from "@/server/core/input/parse-input";
import { isUuid } from "@/server/lib/uuid";
import { fromNow, insertSecret } from "./create";
import { rotateKeySchema, type RotateKeyInput } from "./schemas";
import { generateSecret } from "./secret";
import { withSecret, type KeyWithSecret } from "./views";

type Key = typeof apiKeys.$inferSelect;

/**
 * Gives a key a new secret and keeps everything else, including its id and its rate-limit windows. The current secret
 * ends after the overlap. One that is already in an overlap ends now, so that at most two work. Rotations of one key
 * are serialized.
 * @throws WaypostError `permission_denied`; `key_not_found`, the same for an unknown id and another organization's;
 * `key_not_rotatable` for a revoked or expired key; `validation_failed`.
 */
export async function rotateKey(args: { ctx: Context; input: RotateKeyInput }): Promise<KeyWithSecret> {
  const { ctx } = args;
  requireCapability(ctx.actor, "integrations.manage_api");
  const input = parseInput(rotateKeySchema, args.input);
  const made = generateSecret();
  return ctx.services.orm.transaction(async (tx) => {
    const before = await lockKey(tx, ctx.actor.organizationId, input.keyId);
    await requireLive(tx, before);
    const ended = await endSecrets(tx, before, input.overlapSeconds);
    await insertSecret(tx, before.organizationId, before.id, made);
    const key = input.scopes ? await changeScopes(tx, before, input.scopes) : before;
    await recordAudit(tx, ctx, {
      action: "key.rotated",
      subjectKind: "key",
      subjectId: key.id,
      detail: {
        overlapSeconds: input.overlapSeconds,
        scopesBefore: before.scopes,
        scopesAfter: key.scopes,
        shownPrefix: made.displayPrefix,
        lastFour: made.lastFour,
        ended,
      },
    });
    return withSecret(key, made.secret);
  });
}

async function lockKey(tx: OrmTransaction, organizationId: string, keyId: string): Promise<Key> {
  if (!isUuid(keyId)) throw new WaypostError("key_not_found");
  const [key] = await tx
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.organizationId, organizationId), eq(apiKeys.id, keyId)))
    .for("update");
  if (!key) throw new WaypostError("key_not_found");
  return key;
}

/** A separate statement, because the key may have expired while waiting for the lock. */
async function requireLive(tx: OrmTransaction, key: Key): Promise<void> {
  const [now] = await tx
    .select({ isExpired: sql<boolean>`coalesce(${apiKeys.expiresAt} <= clock_timestamp(), false)` })
    .from(apiKeys)
    .where(and(eq(apiKeys.organizationId, key.organizationId), eq(apiKeys.id, key.id)));
  if (key.revokedAt !== null || now?.isExpired !== false) throw new WaypostError("key_not_rotatable");
}

interface EndedSecret {
  readonly lastFour: string;
  readonly endsAt: Date | null;
}

async function endSecrets(tx: OrmTransaction, key: Key, overlapSeconds: number): Promise<EndedSecret[]> {
  const s = apiKeySecrets;
  const overlapEnd = sql`least(${fromNow(overlapSeconds)}, ${key.expiresAt?.toISOString() ?? null}::timestamptz)`;
  return tx
    .update(s)
    .set({ endsAt: sql`case when ${s.endsAt} is null then ${overlapEnd} else clock_timestamp() end` })
    .where(
      and(
        eq(s.organizationId, key.organizationId),
        eq(s.keyId, key.id),
        or(isNull(s.endsAt), gt(s.endsAt, sql`clock_timestamp()`)),
      ),
    )
    .returning({ lastFour: s.lastFour, endsAt: s.endsAt });
}

async function changeScopes(tx: OrmTransaction, key: Key, scopes: string[]): Promise<Key> {
  const [changed] = await tx
    .update(apiKeys)
    .set({ scopes })
    .where(and(eq(apiKeys.organizationId, key.organizationId), eq(apiKeys.id, key.id)))
    .returning();
  if (!changed) throw new Error("A locked key vanished");
  return changed;
}
