import { createHash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { OrmTransaction } from "@/db/client";
import { CLOCK_LOCK } from "@/db/movable-clock";
import { channels, newId } from "@/db/schema";
import { recordAudit } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { parseInput } from "@/server/core/input/parse-input";
import { nameSchema } from "@/server/lib/text";
import { type Vault, accessTokenPurpose, appSecretPurpose } from "@/server/platform/secrets/vault";
import { clearDefault } from "./make-default";

/** Ids of numbers and accounts. */
export const metaId = z.string().regex(/^[0-9]{1,32}$/, "must be 1 to 32 digits");

/** A token or secret from Meta, or a verify token. It is sent in headers. */
export const credentialSchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,4096}$/, "must be 1 to 4096 ASCII characters without spaces");

const connectChannelSchema = z
  .strictObject({
    name: nameSchema,
    upstream: z.enum(["meta", "simulator"]),
    phoneNumberId: metaId,
    wabaId: metaId,
    displayPhoneNumber: z.string().regex(/^\+?[0-9][0-9 ()-]{4,30}$/, "must be a phone number"),
    accessToken: credentialSchema,
    appSecret: credentialSchema,
    /**
     * Chosen by us, entered at Meta, and sent back when Meta verifies the callback URL. Null for a simulated channel,
     * whose token is derived from its id (`simulatedVerifyToken`), because the simulator is given it again at each
     * start.
     */
    verifyToken: credentialSchema.nullable(),
    /** Replaces the organization's current default, if there is one. */
    isDefault: z.boolean(),
    /**
     * The number was in use before: for 24 hours, contacts who never wrote to this channel count as inside the customer
     * window.
     */
    alreadyInUse: z.boolean().default(false),
  })
  .refine((channel) => (channel.verifyToken === null) === (channel.upstream === "simulator"), {
    path: ["verifyToken"],
    message: "must be given for a Meta channel, and null for a simulated channel",
  });

export type ConnectChannelInput = z.input<typeof connectChannelSchema>;

/** Returns the verify token of a simulated channel. */
export function simulatedVerifyToken(vault: Vault, channelId: string): string {
  return vault.derive(`simulator-verify-token:${channelId}`);
}

/** Returns a verify token in its stored form: SHA-256, hex. */
export function hashVerifyToken(verifyToken: string): string {
  return createHash("sha256").update(verifyToken).digest("hex");
}

/**
 * Connects a WhatsApp number to the organization. Stores token and app secret encrypted, and the verify token hashed.
 * For Waypost's own use only.
 * @throws WaypostError `validation_failed`, also if the number is connected already, to any organization.
 */
export async function connectChannel(args: {
  ctx: Context;
  input: ConnectChannelInput;
}): Promise<{ channelId: string }> {
  const { ctx } = args;
  requireCapability(ctx.actor, "channels.manage");
  const id = newId();
  const { vault, orm } = ctx.services;
  const { accessToken, appSecret, verifyToken, alreadyInUse, ...input } = parseInput(
    connectChannelSchema,
    args.input,
  );
  const { organizationId } = ctx.actor;
  await orm.transaction(async (tx) => {
    if (input.upstream === "meta") await requireRealTime(tx);
    if (input.isDefault) await clearDefault(tx, organizationId);
    const [channel] = await tx
      .insert(channels)
      .values({
        id,
        organizationId,
        ...input,
        accessTokenEncrypted: vault.encrypt(accessToken, accessTokenPurpose(id)),
        appSecretEncrypted: vault.encrypt(appSecret, appSecretPurpose(id)),
        verifyTokenHash: hashVerifyToken(verifyToken ?? simulatedVerifyToken(vault, id)),
        unknownWindowOpenUntil: alreadyInUse ? sql`clock_timestamp() + interval '24 hours'` : null,
      })
      .onConflictDoNothing({ target: [channels.upstream, channels.phoneNumberId] })
      .returning({ id: channels.id });
    if (!channel) throw await connectedAlready(tx, organizationId, input);
    await recordAudit(tx, ctx, {
      action: "channel.connected",
      subjectKind: "channel",
      subjectId: id,
      detail: { ...input, alreadyInUse },
    });
  });
  return { channelId: id };
}

/** Windows, expiries and templates of a real number depend on the real time. A moved clock can't be moved back. */
async function requireRealTime(tx: OrmTransaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${CLOCK_LOCK})`);
  const [row] = await tx.execute<{ isMoved: boolean }>(
    sql`select now() - pg_catalog.now() <> interval '0' as "isMoved"`,
  );
  if (row?.isMoved !== true) return;
  const message =
    "The clock of this demo was moved, so it can't serve a real number. Start Waypost with another data directory.";
  throw new WaypostError("validation_failed", { message, field: "upstream" });
}

/** The error doesn't name another organization's channel. */
async function connectedAlready(
  tx: OrmTransaction,
  organizationId: string,
  { upstream, phoneNumberId }: { upstream: "meta" | "simulator"; phoneNumberId: string },
): Promise<WaypostError> {
  const [own] = await tx
    .select({ id: channels.id, name: channels.name })
    .from(channels)
    .where(
      and(
        eq(channels.organizationId, organizationId),
        eq(channels.upstream, upstream),
        eq(channels.phoneNumberId, phoneNumberId),
      ),
    );
  const how = own
    ? `, as channel ${own.id} (${own.name}). To change its credentials, use its page or \`channel set\`.`
    : ".";
  const message = `\`phoneNumberId\` is already connected${how}`;
  return new WaypostError("validation_failed", { message, field: "phoneNumberId" });
}
