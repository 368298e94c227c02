import { z } from "zod";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { WaypostError } from "@/server/platform/errors";
import { subscribeApp } from "@/server/adapters/whatsapp/account-client";
import { credentialSchema, metaId } from "./connect";

export const subscribeAppInput = z.strictObject({ wabaId: metaId, accessToken: credentialSchema });

/**
 * Subscribes the token's app to the events of its WhatsApp Business account, before a number of the account is
 * connected: without it, Meta sends no callbacks. It can be repeated.
 * @throws WaypostError `permission_denied` without `channels.manage`; `validation_failed` if Meta refuses, in Meta's
 * words; `unavailable` if Meta can't be reached.
 */
export async function subscribeNumbersApp(args: {
  ctx: Context;
  input: z.input<typeof subscribeAppInput>;
}): Promise<void> {
  const { ctx } = args;
  requireCapability(ctx.actor, "channels.manage");
  const input = parseInput(subscribeAppInput, args.input);
  const baseUrl = ctx.services.urls.upstream("meta");
  if (baseUrl === null) throw new WaypostError("unavailable", { message: "Meta's URL isn't known." });
  const answer = await subscribeApp({ ...input, baseUrl });
  if (answer.kind === "answered") return;
  if (answer.kind === "failed") {
    const message = `Meta couldn't be reached to subscribe the app (${answer.reason}). Try again later.`;
    throw new WaypostError("unavailable", { message });
  }
  const message = `\`wabaId\` is of an account to which the app can't be subscribed. Meta says: ${answer.reason}`;
  throw new WaypostError("validation_failed", { message, field: "wabaId" });
}
