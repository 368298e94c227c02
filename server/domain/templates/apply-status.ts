import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { setTemplateStateIn, type TemplateNews } from "./set-state";

/**
 * The upstream told of a template's new state. The next synchronisation puts right what came out of order.
 * @returns how many submissions it changed.
 */
export async function applyTemplateStatus(args: {
  ctx: Context<SystemActor>;
  input: TemplateNews;
}): Promise<number> {
  const { ctx, input } = args;
  return setTemplateStateIn(ctx.services.sql, ctx.actor.organizationId, input);
}
