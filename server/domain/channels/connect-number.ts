import { randomBytes } from "node:crypto";
import { z } from "zod";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { syncTemplates } from "@/server/domain/templates/sync";
import { nameSchema } from "@/server/lib/text";
import { askAboutNumber } from "./ask-about-number";
import { connectChannel, credentialSchema, metaId } from "./connect";

export const connectNumberInput = z.strictObject({
  name: nameSchema,
  phoneNumberId: metaId,
  /** Of the WhatsApp Business account that the number belongs to. */
  wabaId: metaId,
  accessToken: credentialSchema,
  appSecret: credentialSchema,
  /** Meta is told it with the callback address, and says it back. A new one is made where it isn't given. */
  verifyToken: credentialSchema.optional(),
  /** Takes the place of the organization's present default, if there is one. */
  isDefault: z.boolean().default(false),
  /** The number was in use before: for 24 hours contacts who never wrote here count as inside the customer window. */
  alreadyInUse: z.boolean().default(false),
});

export interface ConnectedNumber {
  readonly channelId: string;
  /** In this answer and nowhere else: its hash is kept. */
  readonly verifyToken: string;
}

/** Somebody waits. What isn't read by then is read within ten minutes. */
const TEMPLATES_TIMEOUT_MS = 5_000;

/**
 * Connects a number of Meta's that its credentials were tried with: the number is read with the token and the app secret,
 * the account with the token. Nothing is saved of what Meta refuses, or couldn't be asked about. The account's templates
 * are read too; where that fails, they are later.
 * @throws WaypostError `permission_denied` without `channels.manage`; `validation_failed` at the field that Meta refuses,
 * in its own words, also where the number is connected already, to whichever organization; `unavailable` where Meta can't
 * be asked.
 */
export async function connectNumber(args: {
  ctx: Context;
  input: z.input<typeof connectNumberInput>;
}): Promise<ConnectedNumber> {
  const { ctx } = args;
  requireCapability(ctx.actor, "channels.manage");
  const { verifyToken = newVerifyToken(), ...input } = parseInput(connectNumberInput, args.input);
  const { displayPhoneNumber } = await askAboutNumber(ctx.services, input);
  const { channelId } = await connectChannel({
    ctx,
    input: { ...input, upstream: "meta", displayPhoneNumber, verifyToken },
  });
  await syncTemplates({ ctx, input: { channelId, timeoutMs: TEMPLATES_TIMEOUT_MS } });
  return { channelId, verifyToken };
}

/** A verify token that nobody guesses. */
export function newVerifyToken(): string {
  return randomBytes(24).toString("base64url");
}
