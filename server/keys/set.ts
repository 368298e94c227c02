import { and, eq } from "drizzle-orm";
import { apiKeys } from "@/db/schema";
import { recordAudit } from "../audit/record";
import { requireCapability } from "../capabilities";
import type { Context } from "../context";
import { WaypostError } from "../errors";
import { parseInput } from "../parse-input";
import { isUuid } from "../uuid";
import { setKeySchema, type SetKeyInput } from "./schemas";

/** Units per 60 seconds. */
export interface KeyLimits {
  readonly sendLimit: number;
  readonly readLimit: number;
}

/**
 * Sets a key's limits; what isn't given stays. Counts from the next request on, on every process, and what was used of
 * the present window stays used. Its secrets and scopes stay too. Setting what it is already changes nothing.
 * @throws WaypostError `permission_denied`; `key_not_found`, the same for an unknown id and another organization's;
 * `validation_failed`.
 */
export async function setKey(args: { ctx: Context; input: SetKeyInput }): Promise<KeyLimits> {
  const { ctx } = args;
  requireCapability(ctx.actor, "integrations.manage_api");
  const { keyId, ...given } = parseInput(setKeySchema, args.input);
  if (!isUuid(keyId)) throw new WaypostError("key_not_found");
  const isOwnKey = and(eq(apiKeys.organizationId, ctx.actor.organizationId), eq(apiKeys.id, keyId));
  return ctx.services.orm.transaction(async (tx) => {
    const [before] = await tx
      .select({ sendLimit: apiKeys.sendLimit, readLimit: apiKeys.readLimit })
      .from(apiKeys)
      .where(isOwnKey)
      .for("no key update");
    if (!before) throw new WaypostError("key_not_found");
    const after = {
      sendLimit: given.sendLimit ?? before.sendLimit,
      readLimit: given.readLimit ?? before.readLimit,
    };
    if (after.sendLimit === before.sendLimit && after.readLimit === before.readLimit) return before;
    await tx.update(apiKeys).set(after).where(isOwnKey);
    await recordAudit(tx, ctx, {
      action: "key.limits_set",
      subjectKind: "key",
      subjectId: keyId,
      detail: { from: before, to: after },
    });
    return after;
  });
}
