import type { z } from "zod";
import { authOf } from "@/server/domain/auth/auth";
import { endBegun } from "@/server/domain/auth/record";
import type { Services } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { emailOfAccount, recordForPerson } from "./person";
import { newToken } from "./token";

const LINK_SECONDS = 60 * 60;

/**
 * Creates a link for setting a new password within an hour, once. It replaces earlier links. Setting the password ends
 * all of the person's sessions. For the operator only, because Waypost sends no email.
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

/** The same identifier as in better-auth's own reset: its /reset-password looks for it. */
export function resetIdentifier(token: string): string {
  return `reset-password:${token}`;
}
