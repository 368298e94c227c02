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
 * Which key a secret belongs to. `present`: the key's newest secret. `former`: replaced by a rotation, and in its overlap
 * still. `ended`: replaced, and the overlap is over. Whether either works says the key's status, too.
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
 * What a key is that somebody found: in a log, a chat, a repository. It may stand in the midst of other text, other keys too.
 * The text is neither stored nor logged; whether another organization has such a key isn't told.
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

/** The organization's own among them; of several one that works, so that none of those is hidden by another. */
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
