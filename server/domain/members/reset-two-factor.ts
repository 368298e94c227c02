import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { sessions, twoFactors, users } from "@/db/schema";
import { endBegun } from "@/server/domain/auth/record";
import type { Services } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { emailOfAccount, recordForPerson } from "./person";

/**
 * Disables two-factor sign-in for somebody who has lost both app and recovery codes, and ends their sessions. Does
 * nothing if it isn't enabled.
 * @throws WaypostError `validation_failed`, also for an address without an account.
 */
export async function resetTwoFactor(args: {
  services: Services;
  job: string;
  input: z.input<typeof emailOfAccount>;
}): Promise<{ wasOn: boolean }> {
  const { services, job } = args;
  const { email } = parseInput(emailOfAccount, args.input);
  let wasOn = false;
  await recordForPerson(services, { email, job, action: "member.two_factor_reset" }, async (tx, userId) => {
    const [turnedOff] = await tx
      .update(users)
      .set({ twoFactorEnabled: false })
      .where(and(eq(users.id, userId), eq(users.twoFactorEnabled, true)))
      .returning({ id: users.id });
    wasOn = turnedOff !== undefined;
    if (!wasOn) return "nothing to do";
    await tx.delete(twoFactors).where(eq(twoFactors.userId, userId));
    await tx.delete(sessions).where(eq(sessions.userId, userId));
    await endBegun(tx, userId);
  });
  return { wasOn };
}
