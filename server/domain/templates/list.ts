import { z } from "zod";
import { TEMPLATE_STATES, type TemplateState } from "@/db/schema";
import { requireCapability } from "@/server/core/capabilities";
import { allowedChannels } from "@/server/core/channel-access";
import { requireKnownChannel } from "@/server/core/channel-access";
import type { Context } from "@/server/core/context";
import { decodeCursor, type Page, pageInput, pageOf, pageOutput } from "@/server/core/paging";
import { templateBody } from "@/server/adapters/whatsapp/template-components";

export const listTemplatesInput = z.strictObject({
  channel_id: z.guid().meta({ description: "Only templates of this channel" }).optional(),
  state: z.enum(TEMPLATE_STATES).meta({ description: "Only templates in this state at WhatsApp" }).optional(),
  name: z
    .string()
    .min(1, "must not be empty")
    .max(512, "must have at most 512 characters")
    .meta({ description: "Only templates with exactly this name" })
    .optional(),
  ...pageInput,
});

const templateOutput = z
  .object({
    template_submission_id: z.guid(),
    channel_id: z.guid(),
    name: z.string(),
    language: z.string(),
    category: z
      .string()
      .nullable()
      .meta({ description: "WhatsApp's category, such as `utility`. WhatsApp can add more" }),
    state: z.enum(TEMPLATE_STATES).meta({ description: "Only an approved template can be sent" }),
    reason: z
      .string()
      .nullable()
      .meta({ description: "Why the template is rejected, paused or disabled, in WhatsApp's words" }),
    variables: z.array(z.string()).meta({
      description:
        "The variables that `template.variables` of a message must contain, no more and no fewer. `1`, or a name: " +
        "a placeholder in the text. `header.1`: a placeholder in the header. `header.url`: the https URL of the " +
        "header's image, video or document. `button.0.1`: the placeholder in the URL of the first button. " +
        "`button.0.code`: the code that the first button copies. The prefix `card.0.`: the variable is in the " +
        "first card of a carousel.",
    }),
    body: z.string().nullable().meta({ description: "The text of the template, with its placeholders" }),
  })
  .meta({
    id: "Template",
    examples: [
      {
        template_submission_id: "0198e7d4-3a90-7f66-8c1d-2e3f40516273",
        channel_id: "0198e7d1-0c2e-7b11-a3c4-5d2f8e6b7a90",
        name: "order_shipped",
        language: "en_US",
        category: "utility",
        state: "approved",
        reason: null,
        variables: ["1", "2"],
        body: "Hello {{1}}, your order {{2}} is on its way.",
      },
    ],
  });

export const templatePage = pageOutput(templateOutput, "TemplateList");

type TemplateOutput = z.infer<typeof templateOutput>;

interface TemplateRow {
  readonly id: string;
  readonly channelId: string;
  readonly name: string;
  readonly language: string;
  readonly category: string | null;
  readonly state: TemplateState;
  readonly reason: string | null;
  readonly variables: string[];
  readonly components: readonly unknown[];
}

/**
 * Lists template submissions on the channels that the actor may use, in every state, by channel, name and language.
 * @throws WaypostError `channel_forbidden` for a filter by another channel.
 */
export async function listTemplates(args: {
  ctx: Context;
  input: z.output<typeof listTemplatesInput>;
}): Promise<Page<TemplateOutput>> {
  const { ctx, input } = args;
  requireCapability(ctx.actor, "templates.read");
  const { limit, channel_id: channelId = null, state = null, name = null } = input;
  const [afterChannel = null, afterName = null, afterLanguage = null] =
    decodeCursor(ctx, "templates", input.cursor) ?? [];
  if (channelId !== null) await requireKnownChannel(ctx, channelId);
  const allowed = allowedChannels(ctx);
  const rows = await ctx.services.sql<TemplateRow[]>`
    select t.id, t.channel_id as "channelId", t.name, t.language, t.category, t.state, t.state_reason as reason,
      t.variables, t.components
    from templates t
    -- By its channels, so that the index of names is used and gives the order.
    where t.channel_id = any(array(
        select c.id from channels c
        where c.organization_id = ${ctx.actor.organizationId}
          and (${channelId}::uuid is null or c.id = ${channelId})
          and (${allowed}::uuid[] is null or c.id = any(${allowed}::uuid[]))))
      and t.organization_id = ${ctx.actor.organizationId}
      and (${state}::text is null or t.state = ${state})
      and (${name}::text is null or t.name = ${name})
      and (${afterChannel}::uuid is null
        or (t.channel_id, t.name, t.language) > (${afterChannel}, ${afterName}::text, ${afterLanguage}::text))
    order by t.channel_id, t.name, t.language limit ${limit + 1}`;
  return pageOf({
    ctx,
    list: "templates",
    rows,
    limit,
    shape: templateShape,
    position: (row) => [row.channelId, row.name, row.language],
  });
}

function templateShape(row: TemplateRow): TemplateOutput {
  const { id, channelId, components, ...shown } = row;
  return {
    template_submission_id: id,
    channel_id: channelId,
    ...shown,
    body: templateBody(components),
  };
}
