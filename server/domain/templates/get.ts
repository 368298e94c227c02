import { z } from "zod";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { isUuid } from "@/server/lib/uuid";
import { readTemplates, type TemplateDetail } from "./view";

export const getTemplateInput = z.strictObject({ templateId: z.string().max(200) });

/**
 * Returns one template submission of the organization, in any state.
 * @throws WaypostError `permission_denied` for keys, and without `templates.read`; `template_not_found`, the same for
 * an unknown id and another organization's.
 */
export async function getTemplate(args: {
  ctx: Context;
  input: z.input<typeof getTemplateInput>;
}): Promise<TemplateDetail> {
  const { ctx } = args;
  requireMemberCapability(ctx.actor, "templates.read");
  const { templateId } = args.input;
  if (!isUuid(templateId)) throw new WaypostError("template_not_found");
  const which = ctx.services.sql`t.id = ${templateId}`;
  const [template] = await readTemplates(ctx, { which, rowsMax: 1 });
  if (!template) throw new WaypostError("template_not_found");
  return template;
}
