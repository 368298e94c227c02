import type { z } from "zod";
import type { TransactionSql } from "@/db/client";
import { recordAuditBySql } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { isWaypostError, WaypostError } from "@/server/platform/errors";
import { parseInput } from "@/server/core/input/parse-input";
import { nameSchema } from "@/server/lib/text";
import { credentialSchema, hashVerifyToken } from "./connect";
import { accessTokenPurpose, appSecretPurpose } from "@/server/platform/secrets/vault";
import { type EndedPause, endPauses } from "./pause";
import { channelInput, noSuchChannel, requireChannelId } from "./input";
import type { PauseReason } from "@/server/adapters/whatsapp/pause-reasons";
import { type Trial, tryCredentials } from "./try-credentials";

const CREDENTIALS = ["accessToken", "appSecret", "verifyToken"] as const;

export const setChannelInput = channelInput
  .extend({
    name: nameSchema.optional(),
    accessToken: credentialSchema.optional(),
    appSecret: credentialSchema.optional(),
    verifyToken: credentialSchema.optional(),
  })
  .refine(({ name, ...given }) => name !== undefined || CREDENTIALS.some((key) => given[key] !== undefined), {
    path: ["name"],
    message: "must be given if no credentials are given",
  });

type SetChannel = z.output<typeof setChannelInput>;

/** Pauses that a different token may end. */
const TOKEN_PAUSES = ["credentials_invalid", "permission_missing"] as const satisfies PauseReason[];

export interface ChannelSet {
  /** The result of trying the new access token; null if none was given. */
  readonly token: { readonly kind: "works" } | { readonly kind: "untried"; readonly reason: string } | null;
  /** Why the channel was paused until now; null if no pause was ended. */
  readonly endedPause: string | null;
}

/**
 * Changes a channel's name and credentials. Absent fields stay unchanged. A new access token or app secret is tried
 * first, by reading the number with both: one that the upstream rejects isn't saved; a working token ends a pause that
 * the token caused. If the upstream can't be reached, they are saved untried, and the pause ends once the number can be
 * read.
 * @throws WaypostError `channel_not_found`, the same for an unknown id and another organization's; `permission_denied`
 * without `channels.manage`; `validation_failed`, also for a rejected credential and for those of a simulated channel,
 * which belong to Waypost.
 */
export async function setChannel(args: {
  ctx: Context;
  input: z.input<typeof setChannelInput>;
}): Promise<ChannelSet> {
  const { ctx } = args;
  requireCapability(ctx.actor, "channels.manage");
  const input = parseInput(setChannelInput, args.input);
  requireChannelId(input.channelId);
  const channel = await requireSettable(ctx, input);
  const trial = await tryNew(ctx, channel, input);
  const isToken = input.accessToken !== undefined;
  const endsPause = isToken && trial?.kind === "works";
  const ended = await ctx.services.sql.begin((tx) => save(tx, ctx, input, endsPause));
  if (ended !== null) ctx.services.jobs.notifyChannel(input.channelId);
  return { token: isToken ? outcomeOf(trial) : null, endedPause: ended?.reason ?? null };
}

function outcomeOf(trial: Trial | null): ChannelSet["token"] {
  return trial?.kind === "works" ? { kind: "works" } : trial;
}

interface SettableChannel {
  readonly upstream: "meta" | "simulator";
  readonly phoneNumberId: string;
  readonly accessTokenEncrypted: string;
}

async function requireSettable({ services, actor }: Context, input: SetChannel): Promise<SettableChannel> {
  const [channel] = await services.sql<SettableChannel[]>`
    select upstream, phone_number_id as "phoneNumberId", access_token_encrypted as "accessTokenEncrypted"
    from channels
    where organization_id = ${actor.organizationId} and id = ${input.channelId}`;
  if (!channel) throw noSuchChannel();
  const field = CREDENTIALS.find((key) => input[key] !== undefined);
  if (channel.upstream === "simulator" && field !== undefined) {
    const message = `\`${field}\` can't be set. Waypost manages the credentials of simulated channels.`;
    throw new WaypostError("validation_failed", { message, field });
  }
  return channel;
}

/** Null if there is nothing new to try. */
async function tryNew(
  { services }: Context,
  { phoneNumberId, accessTokenEncrypted }: SettableChannel,
  { channelId, accessToken, appSecret }: SetChannel,
): Promise<Trial | null> {
  const secret = appSecret === undefined ? {} : { appSecret };
  if (accessToken !== undefined) {
    return tryCredentials(services, { phoneNumberId, accessToken, ...secret });
  }
  if (appSecret === undefined) return null;
  const kept = decrypted(services, accessTokenEncrypted, accessTokenPurpose(channelId));
  if (kept === null) return { kind: "untried", reason: "the channel's access token can't be decrypted" };
  try {
    return await tryCredentials(services, { phoneNumberId, accessToken: kept, appSecret });
  } catch (error) {
    if (isAbout(error, "appSecret")) throw error;
    // The upstream rejected the stored token, which says nothing about the new secret.
    if (isWaypostError(error)) return { kind: "untried", reason: error.message };
    throw error;
  }
}

function decrypted({ vault }: Context["services"], encrypted: string, purpose: string): string | null {
  try {
    return vault.decrypt(encrypted, purpose);
  } catch {
    return null;
  }
}

function isAbout(error: unknown, field: string): boolean {
  return isWaypostError(error) && error.field === field;
}

async function save(
  tx: TransactionSql,
  ctx: Context,
  { channelId, name, accessToken, appSecret, verifyToken }: SetChannel,
  endsPause: boolean,
): Promise<EndedPause | null> {
  const { vault } = ctx.services;
  const { organizationId } = ctx.actor;
  const encrypted = (secret: string | undefined, purpose: string) =>
    secret === undefined ? null : vault.encrypt(secret, purpose);
  const own = tx`c.organization_id = ${organizationId} and c.id = ${channelId}`;
  const [before] = await tx<{ name: string }[]>`select name from channels c where ${own} for no key update`;
  await tx`
    update channels c set name = coalesce(${name ?? null}, c.name),
      access_token_encrypted = coalesce(${encrypted(accessToken, accessTokenPurpose(channelId))}, c.access_token_encrypted),
      app_secret_encrypted = coalesce(${encrypted(appSecret, appSecretPurpose(channelId))}, c.app_secret_encrypted),
      verify_token_hash = coalesce(${verifyToken === undefined ? null : hashVerifyToken(verifyToken)}, c.verify_token_hash)
    where ${own}`;
  const [ended = null] = endsPause
    ? await endPauses(tx, tx`${own} and c.pause_reason = any(${[...TOKEN_PAUSES]}::text[])`)
    : [];
  const given = { accessToken, appSecret, verifyToken };
  await recordAuditBySql(tx, ctx, {
    action: "channel.set",
    subjectKind: "channel",
    subjectId: channelId,
    detail: {
      ...(name === undefined ? {} : { name: { from: before?.name ?? null, to: name } }),
      credentials: CREDENTIALS.filter((key) => given[key] !== undefined),
      ...(ended && { endedPause: ended.reason }),
    },
  });
  return ended;
}
