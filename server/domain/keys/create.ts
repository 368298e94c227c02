import { sql } from "drizzle-orm";
import type { OrmTransaction } from "@/db/client";
import { apiKeys, apiKeySecrets } from "@/db/schema";
import { recordAudit } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { requireOwnChannels } from "./own-channels";
import { createKeySchema, type CreateKeyInput } from "./schemas";
import { generateSecret, type NewSecret } from "./secret";
import { withSecret, type KeyWithSecret } from "./views";

/**
 * Creates a key. Its secret is only in this response.
 * @throws WaypostError `permission_denied` without `integrations.manage_api`; `validation_failed`, also for a channel
 * that is unknown or another organization's.
 */
export async function createKey(args: { ctx: Context; input: CreateKeyInput }): Promise<KeyWithSecret> {
  const { ctx } = args;
  requireCapability(ctx.actor, "integrations.manage_api");
  const input = parseInput(createKeySchema, args.input);
  const { organizationId } = ctx.actor;
  const made = generateSecret();
  return ctx.services.orm.transaction(async (tx) => {
    if (input.channelIds) await requireOwnChannels(tx, organizationId, input.channelIds);
    const [key] = await tx
      .insert(apiKeys)
      .values({
        organizationId,
        name: input.name,
        scopes: input.scopes,
        channelIds: input.channelIds,
        sendLimit: input.sendLimit,
        readLimit: input.readLimit,
        expiresAt: input.expiresInSeconds === null ? null : fromNow(input.expiresInSeconds),
        createdBy: ctx.actor.kind === "member" ? ctx.actor.memberId : null,
      })
      .returning();
    if (!key) throw new Error("The insert of a key returned no row");
    await insertSecret(tx, organizationId, key.id, made);
    await recordAudit(tx, ctx, {
      action: "key.created",
      subjectKind: "key",
      subjectId: key.id,
      detail: {
        name: key.name,
        scopes: key.scopes,
        channelIds: key.channelIds,
        sendLimit: key.sendLimit,
        readLimit: key.readLimit,
        expiresAt: key.expiresAt,
        shownPrefix: made.displayPrefix,
        lastFour: made.lastFour,
      },
    });
    return withSecret(key, made.secret);
  });
}

/** Returns a time that many seconds from now, by the database's clock. */
export function fromNow(seconds: number) {
  return sql<Date>`clock_timestamp() + make_interval(secs => ${seconds}::double precision)`;
}

/** Stores the hash and other data of a new secret. */
export async function insertSecret(
  tx: OrmTransaction,
  organizationId: string,
  keyId: string,
  made: NewSecret,
): Promise<void> {
  await tx.insert(apiKeySecrets).values({
    organizationId,
    keyId,
    hash: made.hash,
    displayPrefix: made.displayPrefix,
    lastFour: made.lastFour,
  });
}
