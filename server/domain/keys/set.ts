import { and, eq, gt, sql } from "drizzle-orm";
import type { OrmTransaction } from "@/db/client";
import { apiKeys, apiKeySecrets } from "@/db/schema";
import { recordAudit } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { parseInput } from "@/server/core/input/parse-input";
import { isUuid } from "@/server/lib/uuid";
import { requireOwnChannels } from "./own-channels";
import { setKeySchema, type SetKeyInput } from "./schemas";

/** The changeable settings of a key. */
export interface KeySettings {
  readonly name: string;
  /** Null: never. */
  readonly expiresAt: Date | null;
  /** Null: all channels, including future ones. */
  readonly channelIds: readonly string[] | null;
  /** Units per 60 seconds. */
  readonly sendLimit: number;
  readonly readLimit: number;
}

const SETTINGS = ["name", "expiresAt", "channelIds", "sendLimit", "readLimit"] as const;

/**
 * Changes a key's name, expiry, channels and limits. Absent fields stay unchanged. The change applies from the next
 * request on, on every process, and units used in the current window stay used. Secrets and scopes stay, too. Setting
 * the current values changes nothing.
 * @throws WaypostError `permission_denied`; `key_not_found`, the same for an unknown id and another organization's;
 * `key_not_extendable` for a different expiry of a revoked or expired key, because neither can work again;
 * `validation_failed`, also for an expiry in the past and a channel that is unknown or another organization's.
 */
export async function setKey(args: { ctx: Context; input: SetKeyInput }): Promise<KeySettings> {
  const { ctx } = args;
  requireCapability(ctx.actor, "integrations.manage_api");
  const { keyId, expiresAt, ...rest } = parseInput(setKeySchema, args.input);
  const given = { ...rest, expiresAt: typeof expiresAt === "string" ? new Date(expiresAt) : expiresAt };
  if (!isUuid(keyId)) throw new WaypostError("key_not_found");
  return ctx.services.orm.transaction(async (tx) => {
    const key = await lockKey(tx, ctx, keyId);
    const before = settingsOf(key);
    const after = merged(before, given);
    const changed = SETTINGS.filter((name) => !isEqual(before[name], after[name]));
    if (changed.length === 0) return before;
    if (changed.includes("expiresAt")) await checkExpiry(tx, key, after.expiresAt);
    if (changed.includes("channelIds") && after.channelIds !== null) {
      await requireOwnChannels(tx, key.organizationId, after.channelIds);
    }
    await store(tx, key, after);
    await recordAudit(tx, ctx, {
      action: "key.set",
      subjectKind: "key",
      subjectId: keyId,
      detail: { from: only(before, changed), to: only(after, changed) },
    });
    return after;
  });
}

type Key = typeof apiKeys.$inferSelect;

async function lockKey(tx: OrmTransaction, ctx: Context, keyId: string): Promise<Key> {
  const [key] = await tx
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.organizationId, ctx.actor.organizationId), eq(apiKeys.id, keyId)))
    .for("no key update");
  if (!key) throw new WaypostError("key_not_found");
  return key;
}

/** A separate statement, because the key may have expired while waiting for the lock. */
async function checkExpiry(tx: OrmTransaction, key: Key, expiresAt: Date | null): Promise<void> {
  const asTime = (time: Date | null) => sql`${time?.toISOString() ?? null}::timestamptz`;
  const [now] = await tx
    .select({
      isExpired: sql<boolean>`coalesce(${apiKeys.expiresAt} <= clock_timestamp(), false)`,
      isPast: sql<boolean>`coalesce(${asTime(expiresAt)} <= clock_timestamp(), false)`,
    })
    .from(apiKeys)
    .where(and(eq(apiKeys.organizationId, key.organizationId), eq(apiKeys.id, key.id)));
  if (key.revokedAt !== null || now?.isExpired !== false) throw new WaypostError("key_not_extendable");
  if (now.isPast) {
    throw new WaypostError("validation_failed", {
      field: "expiresAt",
      message: "`expiresAt` must be in the future. To end a key immediately, revoke it.",
    });
  }
}

async function store(tx: OrmTransaction, key: Key, after: KeySettings): Promise<void> {
  const { channelIds, expiresAt, ...rest } = after;
  await tx
    .update(apiKeys)
    .set({ ...rest, expiresAt, channelIds: channelIds === null ? null : [...channelIds] })
    .where(and(eq(apiKeys.organizationId, key.organizationId), eq(apiKeys.id, key.id)));
  if (expiresAt === null) return;
  // No overlap outlives the key.
  const s = apiKeySecrets;
  await tx
    .update(s)
    .set({ endsAt: expiresAt })
    .where(and(eq(s.organizationId, key.organizationId), eq(s.keyId, key.id), gt(s.endsAt, expiresAt)));
}

function settingsOf({ name, expiresAt, channelIds, sendLimit, readLimit }: Key): KeySettings {
  return { name, expiresAt, channelIds, sendLimit, readLimit };
}

function merged(before: KeySettings, given: Partial<KeySettings>): KeySettings {
  const { name = before.name, expiresAt = before.expiresAt, channelIds = before.channelIds } = given;
  const { sendLimit = before.sendLimit, readLimit = before.readLimit } = given;
  return { name, expiresAt, channelIds, sendLimit, readLimit };
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function only(settings: KeySettings, names: readonly (keyof KeySettings)[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
}
