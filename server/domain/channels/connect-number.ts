import { randomBytes } from "node:crypto";
import { z } from "zod";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { syncTemplates } from "@/server/domain/templates/sync";
import { nameSchema } from "@/server/lib/text";
import { requireWorkingNumber } from "./check-number";
import { connectChannel, credentialSchema, metaId } from "./connect";

export const connectNumberInput = z.strictObject({
  name: nameSchema,
  phoneNumberId: metaId,
  /** Id of the WhatsApp Business account that the number belongs to. */
  wabaId: metaId,
  accessToken: credentialSchema,
  appSecret: credentialSchema,
  /** Entered at Meta with the callback URL, and sent back by Meta. Generated if absent. */
  verifyToken: credentialSchema.optional(),
  /** Replaces the organization's current default, if there is one. */
  isDefault: z.boolean().default(false),
  /**
   * The number was in use before: for 24 hours, contacts who never wrote to this channel count as inside the customer
   * window.
   */
  alreadyInUse: z.boolean().default(false),
});

export interface ConnectedNumber {
  readonly channelId: string;
  /** Only in this response: afterwards only its hash is stored. */
  readonly verifyToken: string;
}

/** A user waits for it. Templates that aren't read by then are read within ten minutes. */
const TEMPLATES_TIMEOUT_MS = 5_000;

/**
 * Connects a number at Meta after checking it: token, account, number, app secret. Saves nothing if Meta rejects them or can't be reached. Also reads the account's templates;
 * if that fails, they are read later.
 * @throws WaypostError `permission_denied` without `channels.manage`; `validation_failed` at the field that Meta
 * rejects, in Meta's words, also if the number is connected already, to any organization; `unavailable` if Meta can't
 * be reached.
 */
export async function connectNumber(args: {
  ctx: Context;
  input: z.input<typeof connectNumberInput>;
}): Promise<ConnectedNumber> {
  const { ctx } = args;
  requireCapability(ctx.actor, "channels.manage");
  const { verifyToken = newVerifyToken(), ...input } = parseInput(connectNumberInput, args.input);
  const { displayPhoneNumber } = await requireWorkingNumber(ctx.services, input);
  const { channelId } = await connectChannel({
    ctx,
    input: { ...input, upstream: "meta", displayPhoneNumber, verifyToken },
  });
  await syncTemplates({ ctx, input: { channelId, timeoutMs: TEMPLATES_TIMEOUT_MS } });
  return { channelId, verifyToken };
}

/** Generates a verify token that nobody can guess. */
export function newVerifyToken(): string {
  return randomBytes(24).toString("base64url");
}
