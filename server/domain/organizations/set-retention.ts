import { eq } from "drizzle-orm";
import { z } from "zod";
import { organizations, RETENTION_DAYS_MIN } from "@/db/schema";
import { recordAudit } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";

/** A hundred years: a larger number is a mistaken unit. */
export const RETENTION_DAYS_MAX = 36_525;

export const setRetentionSchema = z.strictObject({
  days: z.int().min(RETENTION_DAYS_MIN).max(RETENTION_DAYS_MAX),
});

/**
 * Sets for how many days the organization keeps contents and recipients. Applies from the next retention run; erased
 * data doesn't come back.
 * @throws WaypostError `validation_failed`, `permission_denied`.
 */
export async function setRetention(args: {
  ctx: Context;
  input: z.input<typeof setRetentionSchema>;
}): Promise<{ days: number }> {
  const { ctx } = args;
  requireCapability(ctx.actor, "organization.manage");
  const { days } = parseInput(setRetentionSchema, args.input);
  const { organizationId } = ctx.actor;
  await ctx.services.orm.transaction(async (tx) => {
    const [before] = await tx
      .select({ days: organizations.retentionDays })
      .from(organizations)
      .where(eq(organizations.id, organizationId))
      .for("no key update");
    if (!before || before.days === days) return;
    await tx.update(organizations).set({ retentionDays: days }).where(eq(organizations.id, organizationId));
    await recordAudit(tx, ctx, {
      action: "organization.retention_set",
      subjectKind: "organization",
      subjectId: organizationId,
      detail: { from: before.days, to: days },
    });
  });
  return { days };
}
