import { z } from "zod";
import { requireCapability } from "@/server/core/capabilities";
import type { Context, Services } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { WaypostError } from "@/server/platform/errors";
import { credentialSchema, metaId } from "./connect";
import { type AskedNumber, type CheckResult, NUMBER_CHECKS, runCheck } from "./number-checks";

export const checkNumberInput = z.strictObject({
  check: z.enum(NUMBER_CHECKS),
  phoneNumberId: metaId,
  wabaId: metaId,
  accessToken: credentialSchema,
  appSecret: credentialSchema,
});

/**
 * Makes one check of a number that is about to be connected, so that a page can show each result as it comes. Saves
 * nothing, and relies on the checks before it: `connectNumber` makes them again.
 * @throws WaypostError `permission_denied` without `channels.manage`; `validation_failed` for a malformed value.
 */
export async function checkNumber(args: {
  ctx: Context;
  input: z.input<typeof checkNumberInput>;
}): Promise<CheckResult> {
  const { ctx } = args;
  requireCapability(ctx.actor, "channels.manage");
  const { check, ...number } = parseInput(checkNumberInput, args.input);
  return runCheck(ctx.services, check, number);
}

/** A number that can send passes these. Without the others, only callbacks are missing. */
const REQUIRED = NUMBER_CHECKS.filter((check) => check !== "webhooks");

/**
 * Makes all checks that a number must pass before it is saved.
 * @returns the number as people write it.
 * @throws WaypostError `validation_failed` at the field that Meta rejects, in Meta's words; `unavailable` if Meta can't
 * be reached.
 */
export async function requireWorkingNumber(
  services: Services,
  { phoneNumberId, wabaId, accessToken, appSecret }: AskedNumber,
): Promise<{ displayPhoneNumber: string }> {
  let displayPhoneNumber: string | undefined;
  for (const check of REQUIRED) {
    const result = await runCheck(services, check, { phoneNumberId, wabaId, accessToken, appSecret });
    if (result.kind === "failed") {
      const { field, message, advice } = result;
      if (field === null) throw new WaypostError("unavailable", { message: `${message} ${advice}` });
      throw new WaypostError("validation_failed", { message: `\`${field}\` ${message}`, field });
    }
    displayPhoneNumber ??= result.displayPhoneNumber;
  }
  if (displayPhoneNumber === undefined) throw new Error("No check has read the number");
  return { displayPhoneNumber };
}
