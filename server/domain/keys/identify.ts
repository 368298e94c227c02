import { and, eq, inArray, sql } from "drizzle-orm";
import { apiKeys, apiKeySecrets, apiKeySecretUsage } from "@/db/schema";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { getKey } from "./get";
import { IS_USE_OF_SECRET, KEY_STATUS, SECRET_WITH_USE, secretView } from "./read";
import { identifyKeySchema, type IdentifyKeyInput } from "./schemas";
import { hashSecret, isWellFormedSecret, KEY_PATTERN } from "./secret";
import type { KeyDetail, SecretView } from "./views";

/**
 * The key that a secret belongs to. `present`: the key's newest secret. `former`: replaced by a rotation, and still in
 * its overlap. `ended`: replaced, and the overlap is over. The key's status also decides whether either works.
 */
export type IdentifiedKey =
  | {
      readonly result: "found";
      readonly key: KeyDetail;
      readonly secret: SecretView & { readonly state: "present" | "former" | "ended" };
    }
  /** `not_a_secret`: nothing in it looks like one. `wrong_checksum`: mistyped, or cut off and pasted together. */
  | { readonly result: "not_a_secret" | "wrong_checksum" | "not_of_this_organization" };

/**
 * Identifies a key that somebody found in a log, a chat or a repository. It may be inside other text, even with other
 * keys. The text is neither stored nor logged. The response doesn't reveal whether another organization has such a key.
 * @throws WaypostError `permission_denied` without `integrations.manage_api`; `validation_failed`.
 */
export async function identifyKey(args: { ctx: Context; input: IdentifyKeyInput }): Promise<IdentifiedKey> {
  const { ctx } = args;
  requireCapability(ctx.actor, "integrations.manage_api");
  const { text } = parseInput(identifyKeySchema, args.input);
  const candidates = text.match(new RegExp(KEY_PATTERN, "g")) ?? [];
  if (candidates.length === 0) return { result: "not_a_secret" };
  const secrets = [...new Set(candidates)].filter(isWellFormedSecret);
  if (secrets.length === 0) return { result: "wrong_checksum" };
  const found = await findSecret(ctx, secrets.map(hashSecret));
  if (!found) return { result: "not_of_this_organization" };
  const key = await getKey({ ctx, input: { keyId: found.secret.keyId } });
  return { result: "found", key, secret: { ...secretView(found), state: found.state } };
}

/**
 * Finds the organization's own secrets among them. Of several it returns a working one, so that no other secret hides
 * it.
 */
async function findSecret(ctx: Context, hashes: readonly Buffer[]) {
  const s = apiKeySecrets;
  const state = sql<"present" | "former" | "ended">`case when ${s.endsAt} is null then 'present'
    when ${s.endsAt} > clock_timestamp() then 'former' else 'ended' end`;
  const [found] = await ctx.services.orm
    .select({ ...SECRET_WITH_USE, state })
    .from(s)
    .leftJoin(apiKeySecretUsage, IS_USE_OF_SECRET)
    .innerJoin(apiKeys, and(eq(apiKeys.organizationId, s.organizationId), eq(apiKeys.id, s.keyId)))
    .where(and(inArray(s.hash, [...hashes]), eq(s.organizationId, ctx.actor.organizationId)))
    .orderBy(sql`${KEY_STATUS} = 'live' and ${state} <> 'ended' desc`, sql`${s.endsAt} desc nulls first`)
    .limit(1);
  return found;
}
