import { z } from "zod";
import type { TransactionSql } from "@/db/client";
import { recordAuditBySql } from "../audit/record";
import { requireCapability } from "../capabilities";
import type { Context } from "../context";
import { WaypostError } from "../errors";
import { parseInput } from "../parse-input";
import { nameSchema } from "../text";
import { accessTokenPurpose, appSecretPurpose, credentialSchema, hashVerifyToken } from "./connect";
import { type EndedPause, endPauses } from "./end-pause";
import type { PauseReason } from "./pause-reasons";

const CREDENTIALS = ["accessToken", "appSecret", "verifyToken"] as const;

const setChannelSchema = z
  .strictObject({
    channelId: z.guid(),
    name: nameSchema.optional(),
    accessToken: credentialSchema.optional(),
    appSecret: credentialSchema.optional(),
    verifyToken: credentialSchema.optional(),
  })
  .refine(({ name, ...given }) => name !== undefined || CREDENTIALS.some((key) => given[key] !== undefined), {
    path: ["name"],
    message: "must be given where no credentials are",
  });

type SetChannel = z.output<typeof setChannelSchema>;

/** Pauses that another token can be the cure of. */
const TOKEN_PAUSES = ["credentials_invalid", "permission_missing"] as const satisfies PauseReason[];

export interface ChannelSet {
  /** What came of trying the new access token; null where none was given. */
  readonly token: { readonly kind: "works" } | { readonly kind: "untried"; readonly reason: string } | null;
  /** Why the channel was paused until now; null where nothing was ended. */
  readonly endedPause: string | null;
}

/**
 * Sets a channel's name and credentials; what isn't given stays. A new access token is tried first, by reading the
 * number with it: one that the upstream refuses isn't saved; one that works ends a pause that was for the token. Where
 * the upstream can't be asked the token is saved untried, and the pause ends once the number is read with it.
 * @throws WaypostError `channel_forbidden`, `permission_denied`; `validation_failed`, also for a token that is refused
 * and for credentials of a simulated channel, which are Waypost's own.
 */
export async function setChannel(args: {
  ctx: Context;
  input: z.input<typeof setChannelSchema>;
}): Promise<ChannelSet> {
  const { ctx } = args;
  requireCapability(ctx.actor, "integrations.manage_api");
  const input = parseInput(setChannelSchema, args.input);
  const phoneNumberId = await requireSettable(ctx, input);
  const token =
    input.accessToken === undefined ? null : await tryToken(ctx, phoneNumberId, input.accessToken);
  const ended = await ctx.services.sql.begin((tx) => save(tx, ctx, input, token?.kind === "works"));
  if (ended !== null) ctx.services.jobs.wakeChannel(input.channelId);
  return { token, endedPause: ended?.reason ?? null };
}

/** @returns the channel's `phone_number_id`. */
async function requireSettable({ services, actor }: Context, input: SetChannel): Promise<string> {
  const [channel] = await services.sql<{ upstream: "meta" | "simulator"; phoneNumberId: string }[]>`
    select upstream, phone_number_id as "phoneNumberId" from channels
    where organization_id = ${actor.organizationId} and id = ${input.channelId}`;
  if (!channel) throw new WaypostError("channel_forbidden", { field: "channelId" });
  const field = CREDENTIALS.find((key) => input[key] !== undefined);
  if (channel.upstream === "simulator" && field !== undefined) {
    const message = `\`${field}\` can't be set: the credentials of a simulated channel are Waypost's own.`;
    throw new WaypostError("validation_failed", { message, field });
  }
  return channel.phoneNumberId;
}

async function tryToken({ services }: Context, phoneNumberId: string, accessToken: string) {
  const baseUrl = services.upstreamUrl("meta");
  if (baseUrl === null) return { kind: "untried", reason: "no address of the upstream is known" } as const;
  const answer = await services.whatsapp.readNumber({ baseUrl, phoneNumberId, accessToken });
  if (answer.kind === "readable") return { kind: "works" } as const;
  const { httpStatus, upstreamCode, reason } = answer.detail;
  const isRefused = upstreamCode !== null && httpStatus !== null && httpStatus < 500;
  if (!isRefused) return { kind: "untried", reason } as const;
  throw new WaypostError("validation_failed", {
    message: `\`accessToken\` isn't saved: with it the number can't be read: (#${upstreamCode}) ${reason}`,
    field: "accessToken",
  });
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
