import { and, desc, eq, gt, inArray, isNull, or, sql, type SQL } from "drizzle-orm";
import { apiKeys, apiKeySecrets, apiKeySecretUsage, apiKeyUsage } from "@/db/schema";
import { isScope } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import type { KeyStatus, KeyView, SecretView } from "./views";

/** Age at which a key that was never used is flagged. Other keys are flagged when unused for a longer time. */
const NEVER_USED_DAYS = 30;
const NOT_USED_DAYS = 90;
/** How long before its expiry a key is flagged. */
const EXPIRES_SOON_DAYS = 14;

const days = (count: number) => sql.raw(`interval '${count} days'`);

/** By the database's clock. */
export const KEY_STATUS = sql<KeyStatus>`case
  when ${apiKeys.revokedAt} is not null then 'revoked'
  when ${apiKeys.expiresAt} <= clock_timestamp() then 'expired'
  else 'live' end`;

const IS_UNUSED = sql<boolean>`case when ${apiKeyUsage.lastUsedAt} is null
  then ${apiKeys.createdAt} < clock_timestamp() - ${days(NEVER_USED_DAYS)}
  else ${apiKeyUsage.lastUsedAt} < clock_timestamp() - ${days(NOT_USED_DAYS)} end`;

const EXPIRES_SOON = sql<boolean>`coalesce(
  ${apiKeys.expiresAt} < clock_timestamp() + ${days(EXPIRES_SOON_DAYS)}, false)`;

/** Reads keys of the organization as members see them, newest first. @param condition selects keys; all if absent. */
export async function readKeys(
  ctx: Context,
  { condition, rowsMax }: { condition: SQL | undefined; rowsMax: number },
): Promise<KeyView[]> {
  const rows = await selectKeys(ctx, condition, rowsMax);
  const secrets = await selectLiveSecrets(
    ctx,
    rows.map((row) => row.key.id),
  );
  return rows.map(({ key, status, lastUsedAt, isUnused, expiresSoon }) => ({
    id: key.id,
    name: key.name,
    status,
    scopes: key.scopes.filter(isScope),
    channelIds: key.channelIds,
    sendLimit: key.sendLimit,
    readLimit: key.readLimit,
    expiresAt: key.expiresAt,
    expiresSoon: status === "live" && expiresSoon,
    revokedAt: key.revokedAt,
    createdBy: key.createdBy,
    createdAt: key.createdAt,
    lastUsedAt,
    isUnused: status === "live" && isUnused,
    secrets: status === "live" ? (secrets.get(key.id) ?? []) : [],
  }));
}

async function selectKeys(ctx: Context, condition: SQL | undefined, rowsMax: number) {
  return ctx.services.orm
    .select({
      key: apiKeys,
      lastUsedAt: apiKeyUsage.lastUsedAt,
      status: KEY_STATUS,
      isUnused: IS_UNUSED,
      expiresSoon: EXPIRES_SOON,
    })
    .from(apiKeys)
    .leftJoin(
      apiKeyUsage,
      and(eq(apiKeyUsage.organizationId, apiKeys.organizationId), eq(apiKeyUsage.keyId, apiKeys.id)),
    )
    .where(and(eq(apiKeys.organizationId, ctx.actor.organizationId), condition))
    .orderBy(desc(apiKeys.id))
    .limit(rowsMax);
}

async function selectLiveSecrets(ctx: Context, keyIds: string[]): Promise<Map<string, SecretView[]>> {
  const s = apiKeySecrets;
  const rows = await ctx.services.orm
    .select(SECRET_WITH_USE)
    .from(s)
    .leftJoin(apiKeySecretUsage, IS_USE_OF_SECRET)
    .where(
      and(
        eq(s.organizationId, ctx.actor.organizationId),
        inArray(s.keyId, keyIds),
        or(isNull(s.endsAt), gt(s.endsAt, sql`clock_timestamp()`)),
      ),
    )
    .orderBy(sql`${s.endsAt} desc nulls first`);
  const byKey = new Map<string, SecretView[]>();
  for (const row of rows) {
    const { keyId } = row.secret;
    byKey.set(keyId, [...(byKey.get(keyId) ?? []), secretView(row)]);
  }
  return byKey;
}

/** A secret and its last use: columns of `api_key_secrets` with its use joined. */
export const SECRET_WITH_USE = { secret: apiKeySecrets, lastUsedAt: apiKeySecretUsage.lastUsedAt };

export const IS_USE_OF_SECRET = and(
  eq(apiKeySecretUsage.organizationId, apiKeySecrets.organizationId),
  eq(apiKeySecretUsage.secretId, apiKeySecrets.id),
);

interface SecretWithUse {
  readonly secret: typeof apiKeySecrets.$inferSelect;
  readonly lastUsedAt: Date | null;
}

/** Returns the visible data of a secret. */
export function secretView({ secret, lastUsedAt }: SecretWithUse): SecretView {
  return {
    id: secret.id,
    prefix: secret.displayPrefix,
    lastFour: secret.lastFour,
    endsAt: secret.endsAt,
    createdAt: secret.createdAt,
    lastUsedAt,
  };
}
