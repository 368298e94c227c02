import { and, desc, eq, gt, inArray, isNull, lt, or, sql } from "drizzle-orm";
import { apiKeys, apiKeySecrets, apiKeyUsage } from "@/db/schema";
import { isScope, requireCapability } from "../capabilities";
import type { Context } from "../context";
import { parseInput } from "../parse-input";
import { listKeysSchema, type ListKeysInput } from "./schemas";
import type { KeyView, SecretView } from "./views";

/**
 * The organization's keys, newest first, revoked and expired ones included.
 * @throws WaypostError `permission_denied` without `integrations.manage_api`.
 */
export async function listKeys(args: {
  ctx: Context;
  input: ListKeysInput;
}): Promise<{ data: KeyView[]; nextCursor: string | null }> {
  const { ctx } = args;
  requireCapability(ctx.actor, "integrations.manage_api");
  const { limit, cursor } = parseInput(listKeysSchema, args.input);
  const rows = await selectKeys(ctx, limit + 1, cursor);
  const page = rows.slice(0, limit);
  const secrets = await selectLiveSecrets(
    ctx,
    page.map((row) => row.key.id),
  );
  return {
    data: page.map(({ key, status, lastUsedAt }) => ({
      id: key.id,
      name: key.name,
      status,
      scopes: key.scopes.filter(isScope),
      channelIds: key.channelIds,
      sendLimit: key.sendLimit,
      readLimit: key.readLimit,
      expiresAt: key.expiresAt,
      revokedAt: key.revokedAt,
      createdBy: key.createdBy,
      createdAt: key.createdAt,
      lastUsedAt,
      secrets: status === "live" ? (secrets.get(key.id) ?? []) : [],
    })),
    nextCursor: rows.length > limit ? (page.at(-1)?.key.id ?? null) : null,
  };
}

async function selectKeys(ctx: Context, rowsMax: number, before: string | null) {
  return ctx.services.orm
    .select({
      key: apiKeys,
      lastUsedAt: apiKeyUsage.lastUsedAt,
      status: sql<KeyView["status"]>`case
        when ${apiKeys.revokedAt} is not null then 'revoked'
        when ${apiKeys.expiresAt} <= clock_timestamp() then 'expired'
        else 'live' end`,
    })
    .from(apiKeys)
    .leftJoin(
      apiKeyUsage,
      and(eq(apiKeyUsage.organizationId, apiKeys.organizationId), eq(apiKeyUsage.keyId, apiKeys.id)),
    )
    .where(
      and(
        eq(apiKeys.organizationId, ctx.actor.organizationId),
        before === null ? undefined : lt(apiKeys.id, before),
      ),
    )
    .orderBy(desc(apiKeys.id))
    .limit(rowsMax);
}

async function selectLiveSecrets(ctx: Context, keyIds: string[]): Promise<Map<string, SecretView[]>> {
  const s = apiKeySecrets;
  const rows = await ctx.services.orm
    .select()
    .from(s)
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
    const view = {
      prefix: row.displayPrefix,
      lastFour: row.lastFour,
      endsAt: row.endsAt,
      createdAt: row.createdAt,
    };
    byKey.set(row.keyId, [...(byKey.get(row.keyId) ?? []), view]);
  }
  return byKey;
}
