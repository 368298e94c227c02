import type { z } from "zod";
import { authOf } from "@/server/domain/auth/auth";
import { endBegun } from "@/server/domain/auth/end-begun";
import type { Services } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { emailOfAccount, recordForPerson } from "./person";
import { newToken } from "./token";

const LINK_SECONDS = 60 * 60;

/**
 * Makes a link by which somebody sets a new password within an hour, once, in place of any made before. Setting it ends
 * all of their sign-ins. For the operator only: there is no mail to send such a link by.
 * @throws WaypostError `validation_failed`, also for an address without an account.
 */
export async function resetPassword(args: {
  services: Services;
  job: string;
  input: z.input<typeof emailOfAccount>;
}): Promise<{ token: string; expiresAt: Date }> {
  const { services, job } = args;
  const { email } = parseInput(emailOfAccount, args.input);
  const userId = await recordForPerson(services, { email, job, action: "member.password_reset" }, endBegun);
  const { token } = newToken();
  const expiresAt = new Date(Date.now() + LINK_SECONDS * 1000);
  const { internalAdapter } = await authOf(services).$context;
  await internalAdapter.createVerificationValue({
    identifier: resetIdentifier(token),
    value: userId,
    expiresAt,
  });
  return { token, expiresAt };
}

/** As better-auth itself begins a reset: its /reset-password looks for this identifier. */
export function resetIdentifier(token: string): string {
  return `reset-password:${token}`;
}
