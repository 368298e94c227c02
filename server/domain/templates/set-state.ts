import type { TemplateReport } from "@/server/adapters/whatsapp/reports";
import type { Executor } from "@/db/client";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";

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

export interface TemplateNews extends TemplateReport {
  /** A channel of the account that the template belongs to. */
  readonly channelId: string;
}

/**
 * Stores a template's state as reported by the upstream. A template belongs to an account, so the state applies to
 * every channel of the organization on that account. Unknown templates are left to the next synchronization.
 * @param ifUnchangedSince for a state that was learned indirectly: submissions that changed later, or aren't in use,
 * stay unchanged.
 * @returns how many submissions it changed.
 */
export async function setTemplateStateIn(
  sql: Executor,
  organizationId: string,
  news: TemplateNews,
  ifUnchangedSince: Date | null = null,
): Promise<number> {
  const { channelId, name, language, upstreamId, state } = news;
  const reason = state === "approved" ? null : news.reason;
  const { count } = await sql`
    update templates t set state = ${state}, state_reason = ${reason}, updated_at = clock_timestamp()
    from (
      select k.id from channels named
      join channels c on c.organization_id = named.organization_id and c.upstream = named.upstream
        and c.waba_id = named.waba_id
      join templates k on k.organization_id = c.organization_id and k.channel_id = c.id
      where named.organization_id = ${organizationId} and named.id = ${channelId}
        and ((k.name = ${name} and k.language = ${language}) or k.upstream_id = ${upstreamId})
        and (k.state, k.state_reason) is distinct from (${state}, ${reason}::text)
        and (${ifUnchangedSince}::timestamptz is null
          or (k.updated_at < ${ifUnchangedSince}::timestamptz and k.state in ('approved', 'paused')))
      order by k.id for update of k) known
    where t.id = known.id`;
  return count;
}
