import { eq } from "drizzle-orm";
import { z } from "zod";
import { organizations } from "@/db/schema";
import { recordAudit } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { nameSchema } from "@/server/lib/text";

export const renameOrganizationSchema = z.strictObject({ name: nameSchema });

/** Renames the organization. @throws WaypostError `validation_failed`, `permission_denied`. */
export async function renameOrganization(args: {
  ctx: Context;
  input: z.input<typeof renameOrganizationSchema>;
}): Promise<{ name: string }> {
  const { ctx } = args;
  requireCapability(ctx.actor, "organization.manage");
  const { name } = parseInput(renameOrganizationSchema, args.input);
  const { organizationId } = ctx.actor;
  await ctx.services.orm.transaction(async (tx) => {
    const [before] = await tx
      .select({ name: organizations.name })
      .from(organizations)
      .where(eq(organizations.id, organizationId))
      .for("no key update");
    if (!before || before.name === name) return;
    await tx.update(organizations).set({ name }).where(eq(organizations.id, organizationId));
    await recordAudit(tx, ctx, {
      action: "organization.renamed",
      subjectKind: "organization",
      subjectId: organizationId,
      detail: { from: before.name, to: name },
    });
  });
  return { name };
}
