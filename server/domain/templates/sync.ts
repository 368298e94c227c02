import { newId } from "@/db/schema";
import type { Context } from "@/server/core/context";
import { listTemplates, type UpstreamTemplate } from "@/server/adapters/whatsapp/template-client";
import { templateVariables } from "@/server/adapters/whatsapp/template-components";
import { templateCaller } from "./caller";

export type TemplateSync =
  | { readonly kind: "synced"; readonly changed: number; readonly gone: number }
  /** Nothing was changed. */
  | { readonly kind: "failed"; readonly reason: string };

interface SyncInput {
  readonly channelId: string;
  /** Timeout per call; the upstream's own limit if absent. */
  readonly timeoutMs?: number;
}

/**
 * Synchronizes a channel's template submissions with the upstream: stores new ones, updates state, text and variables
 * of known ones, and disables those that no longer exist there; ids stay. An incomplete response disables nothing. The
 * channel stores the time of the call, and why it failed. Safe to run at any time, and by several processes
 * concurrently.
 */
export async function syncTemplates(args: { ctx: Context; input: SyncInput }): Promise<TemplateSync> {
  const { ctx, input } = args;
  const outcome = await synchronize(ctx, input);
  const failure = outcome.kind === "failed" ? outcome.reason : null;
  await ctx.services.sql`
    update channels set templates_asked_at = clock_timestamp(), templates_failure = ${failure},
      templates_synced_at = case when ${failure}::text is null then clock_timestamp() else templates_synced_at end
    where organization_id = ${ctx.actor.organizationId} and id = ${input.channelId}`;
  return outcome;
}

async function synchronize(ctx: Context, input: SyncInput): Promise<TemplateSync> {
  const caller = await templateCaller(ctx, input.channelId);
  if (caller === null) return { kind: "failed", reason: "no upstream is known for the channel" };
  // By the database's clock: later changes here are newer than the list.
  const [asked] = await ctx.services.sql<{ at: string }[]>`select clock_timestamp()::text as at`;
  const listed = await listTemplates(caller, { timeoutMs: input.timeoutMs });
  if (listed.kind !== "listed") return { kind: "failed", reason: listed.reason };
  const since = asked?.at ?? "-infinity";
  const changed = await storeTemplates(ctx, input.channelId, latestOfEach(listed.templates), since);
  const gone = listed.isComplete ? await disableGone(ctx, input.channelId, listed.templates, since) : 0;
  return { kind: "synced", changed, gone };
}

/** One per name and language: while a deleted template awaits its removal, its name may be in use again. */
function latestOfEach(templates: readonly UpstreamTemplate[]): UpstreamTemplate[] {
  const byName = new Map<string, UpstreamTemplate>();
  for (const template of templates) {
    const key = `${template.name}\n${template.language}`;
    const known = byName.get(key);
    if (known === undefined || known.state === "disabled") byName.set(key, template);
  }
  return [...byName.values()];
}

/** Stores templates as the upstream has them. @returns the number of rows changed. */
async function storeTemplates(
  ctx: Context,
  channelId: string,
  templates: readonly UpstreamTemplate[],
  /** The database's time; rows that were changed later stay unchanged. */
  since: string,
): Promise<number> {
  if (templates.length === 0) return 0;
  const rows = templates.map((template) => ({
    id: newId(),
    name: template.name,
    language: template.language,
    category: template.category,
    state: template.state,
    reason: template.reason,
    components: template.components,
    variables: templateVariables(template.components),
    upstreamId: template.upstreamId,
  }));
  const { count } = await ctx.services.sql`
    insert into templates as t (id, organization_id, channel_id, name, language, category, state, state_reason,
      components, variables, upstream_id)
    select r.id, c.organization_id, c.id, r.name, r.language, r.category, r.state, r.reason, r.components,
      array(select jsonb_array_elements_text(r.variables)), r."upstreamId"
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (id uuid, name text, language text, category text,
      state text, reason text, components jsonb, variables jsonb, "upstreamId" text)
    join channels c on c.id = ${channelId} and c.organization_id = ${ctx.actor.organizationId}
    order by r.name, r.language
    on conflict (channel_id, name, language) do update set
      category = excluded.category, state = excluded.state, state_reason = excluded.state_reason,
      components = excluded.components, variables = excluded.variables, upstream_id = excluded.upstream_id,
      updated_at = now()
    where t.updated_at <= ${since}::text::timestamptz
      and (t.category, t.state, t.state_reason, t.components, t.variables, t.upstream_id) is distinct from (
        excluded.category, excluded.state, excluded.state_reason, excluded.components, excluded.variables,
        excluded.upstream_id)`;
  return count;
}

async function disableGone(
  ctx: Context,
  channelId: string,
  templates: readonly UpstreamTemplate[],
  since: string,
): Promise<number> {
  const { count } = await ctx.services.sql`
    update templates t set state = 'disabled', state_reason = ${GONE_REASON}, updated_at = now()
    where t.channel_id = ${channelId} and t.organization_id = ${ctx.actor.organizationId}
      and t.updated_at <= ${since}::text::timestamptz and (t.state, t.state_reason) is distinct from ('disabled', ${GONE_REASON})
      and not exists (
        select from unnest(
          ${templates.map((template) => template.name)}::text[],
          ${templates.map((template) => template.language)}::text[]
        ) as r (name, language) where r.name = t.name and r.language = t.language)`;
  return count;
}

const GONE_REASON = "WhatsApp no longer has this template.";
