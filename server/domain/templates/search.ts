import { z } from "zod";
import { TEMPLATE_STATES } from "@/db/schema";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { decodeCursor, type Page, pageInput, pageOf } from "@/server/core/paging";
import { isUuid } from "@/server/lib/uuid";
import { TEMPLATE_TEXTS_PATH } from "@/server/adapters/whatsapp/template-preview";
import { readTemplates, type TemplateDetail, type TemplateView } from "./view";

export const searchTemplatesInput = z.strictObject({
  /** A part of the name, or of the text that a customer sees; case-insensitive. */
  q: z.string().max(500).optional(),
  channelId: z.string().max(200).optional(),
  state: z.enum(TEMPLATE_STATES).optional(),
  ...pageInput,
});

const LIST = "template search";

/**
 * Searches template submissions, by channel, name and language. An account has at most 6,000, which bounds the search.
 * An unknown channel, or another organization's, has none.
 * @throws WaypostError `permission_denied` for keys, and without `templates.read`.
 */
export async function searchTemplates(args: {
  ctx: Context;
  input: z.output<typeof searchTemplatesInput>;
}): Promise<Page<TemplateView>> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "templates.read");
  const { limit, channelId = null, state = null, q = "" } = input;
  const [afterChannel = null, afterName = null, afterLanguage = null] =
    decodeCursor(ctx, LIST, input.cursor) ?? [];
  if (channelId !== null && !isUuid(channelId)) return { data: [], next_cursor: null };
  const { sql } = ctx.services;
  const words = q.trim();
  const which = sql`(${channelId}::uuid is null or t.channel_id = ${channelId})
    and (${state}::text is null or t.state = ${state})
    and (${words} = '' or strpos(lower(t.name), lower(${words})) > 0
      or strpos(lower(jsonb_path_query_array(t.components, ${TEMPLATE_TEXTS_PATH}::jsonpath)::text), lower(${words})) > 0)
    and (${afterChannel}::uuid is null
      or (t.channel_id, t.name, t.language) > (${afterChannel}, ${afterName}::text, ${afterLanguage}::text))`;
  const rows = await readTemplates(ctx, { which, rowsMax: limit + 1 });
  return pageOf({
    ctx,
    list: LIST,
    rows,
    limit,
    shape: withoutParts,
    position: (row) => [row.channelId, row.name, row.language],
  });
}

function withoutParts(detail: TemplateDetail): TemplateView {
  const { parts: _parts, examples: _examples, ...view } = detail;
  return view;
}
