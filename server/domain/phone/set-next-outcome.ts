import { z } from "zod";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { askSimulator, findPhone, phoneInput } from "./simulated-channel";

export const setNextOutcomeInput = z.strictObject({
  ...phoneInput,
  /** One of the phone's `next_outcomes`. Null: nothing goes wrong. */
  outcome: z.string().min(1).max(64).nullable(),
});

/**
 * Chooses what goes wrong with the next message to the customer of a simulated channel, once.
 * @throws WaypostError `permission_denied` for keys; those of `findPhone` and `askSimulator`: `validation_failed` for an
 * outcome that the simulator doesn't know.
 */
export async function setNextOutcome(args: {
  ctx: Context;
  input: z.output<typeof setNextOutcomeInput>;
}): Promise<{ readonly outcome: string | null }> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "messages.send");
  const { phoneNumberId, customer } = await findPhone(ctx, input);
  const { outcome } = input;
  const body = { phone_number_id: phoneNumberId, customer, outcome };
  await askSimulator(ctx, { method: "PUT", path: "/simulator/next-outcome", body });
  return { outcome };
}
