import { eq } from "drizzle-orm";
import { z } from "zod";
import { organizations } from "@/db/schema";
import { recordAudit } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";

/** A pebibyte: a larger number is a typing error. */
export const UPLOAD_QUOTA_BYTES_MAX = 1024 ** 5;

const setUploadQuotaSchema = z.strictObject({ bytes: z.int().min(0).max(UPLOAD_QUOTA_BYTES_MAX) });

/**
 * Sets the organization's maximum for uploads in bytes. If they already exceed it, they stay, but no more are accepted.
 * @throws WaypostError `validation_failed`, `permission_denied`.
 */
export async function setUploadQuota(args: {
  ctx: Context;
  input: z.input<typeof setUploadQuotaSchema>;
}): Promise<{ bytes: number }> {
  const { ctx } = args;
  requireCapability(ctx.actor, "organization.manage");
  const { bytes } = parseInput(setUploadQuotaSchema, args.input);
  const { organizationId } = ctx.actor;
  await ctx.services.orm.transaction(async (tx) => {
    const [before] = await tx
      .select({ bytes: organizations.uploadQuotaBytes })
      .from(organizations)
      .where(eq(organizations.id, organizationId))
      .for("no key update");
    if (!before || before.bytes === bytes) return;
    await tx
      .update(organizations)
      .set({ uploadQuotaBytes: bytes })
      .where(eq(organizations.id, organizationId));
    await recordAudit(tx, ctx, {
      action: "organization.upload_quota_set",
      subjectKind: "organization",
      subjectId: organizationId,
      detail: { from: before.bytes, to: bytes },
    });
  });
  return { bytes };
}
