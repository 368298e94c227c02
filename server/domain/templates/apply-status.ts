import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { setTemplateStateIn, type TemplateNews } from "./set-state";

/**
 * Applies the upstream's report of a template's new state. The next synchronization corrects reports that arrived out
 * of order.
 * @returns how many submissions it changed.
 */
export async function applyTemplateStatus(args: {
  ctx: Context<SystemActor>;
  input: TemplateNews;
}): Promise<number> {
  const { ctx, input } = args;
  return setTemplateStateIn(ctx.services.sql, ctx.actor.organizationId, input);
}
