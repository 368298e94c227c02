import { and, eq } from "drizzle-orm";
import { apiKeys, members, users } from "@/db/schema";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { parseInput } from "@/server/core/input/parse-input";
import { isUuid } from "@/server/lib/uuid";
import { readKeys } from "./read";
import { getKeySchema, type GetKeyInput } from "./schemas";
import type { KeyDetail } from "./views";

/**
 * Returns one key of the organization, even a revoked or expired one.
 * @throws WaypostError `permission_denied` without `integrations.manage_api`; `key_not_found`, the same for an unknown
 * id and another organization's.
 */
export async function getKey(args: { ctx: Context; input: GetKeyInput }): Promise<KeyDetail> {
  const { ctx } = args;
  requireCapability(ctx.actor, "integrations.manage_api");
  const { keyId } = parseInput(getKeySchema, args.input);
  if (!isUuid(keyId)) throw new WaypostError("key_not_found");
  const [key] = await readKeys(ctx, { condition: eq(apiKeys.id, keyId), rowsMax: 1 });
  if (!key) throw new WaypostError("key_not_found");
  return { ...key, createdByName: key.createdBy === null ? null : await memberName(ctx, key.createdBy) };
}

async function memberName(ctx: Context, memberId: string): Promise<string | null> {
  const [member] = await ctx.services.orm
    .select({ name: users.name })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.organizationId, ctx.actor.organizationId), eq(members.id, memberId)));
  return member?.name ?? null;
}
