import type { TemplateState } from "@/db/schema";
import type { SystemActor } from "../api/actor";
import type { Context } from "../context";

export interface TemplateStatus {
  /** A channel of the account that the template belongs to. */
  readonly channelId: string;
  readonly name: string;
  readonly language: string;
  readonly upstreamId: string | null;
  readonly state: TemplateState;
  /** Why it was rejected, paused or disabled, in the upstream's words. */
  readonly reason: string | null;
}

/**
 * The upstream told of a template's new state: it holds for every channel of the organization on the same account. What
 * isn't known here is left to the next synchronisation, which also puts right what came out of order.
 * @returns how many submissions it changed.
 */
export async function applyTemplateStatus(args: {
  ctx: Context<SystemActor>;
  input: TemplateStatus;
}): Promise<number> {
  const { ctx, input } = args;
  const { organizationId } = ctx.actor;
  const reason = input.state === "approved" ? null : input.reason;
  const { count } = await ctx.services.sql`
    update templates t set state = ${input.state}, state_reason = ${reason}, updated_at = now()
    from channels told
    join channels c on c.organization_id = told.organization_id and c.upstream = told.upstream
      and c.waba_id = told.waba_id
    where told.id = ${input.channelId} and told.organization_id = ${organizationId}
      and t.channel_id = c.id and t.organization_id = ${organizationId}
      and ((t.name = ${input.name} and t.language = ${input.language}) or t.upstream_id = ${input.upstreamId})
      and (t.state, t.state_reason) is distinct from (${input.state}, ${reason}::text)`;
  return count;
}
