import { z } from "zod";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { decodeCursor, type Page, pageInput, pageOf, pageOutput } from "@/server/core/paging";
import { allowedChannels } from "@/server/core/channel-access";
import { PAUSE_REASONS } from "@/server/adapters/whatsapp/pause-reasons";

/** The meaning of each reason, by its name. */
function reasonsInWords(): string {
  return Object.entries(PAUSE_REASONS)
    .map(([name, { message }]) => `\`${name}\`: ${message}`)
    .join(" ");
}

export const listChannelsInput = z.strictObject(pageInput);

const channelOutput = z
  .object({
    id: z.guid().meta({ description: "Id of the channel: the `channel_id` of messages" }),
    name: z.string(),
    display_phone_number: z.string(),
    is_default: z.boolean().meta({
      description:
        "Whether messages are sent from this channel if neither the request nor the contact determines one",
    }),
    state: z.enum(["active", "paused", "disabled"]).meta({
      description:
        "`active`: messages are sent. `paused`: messages are accepted and wait. `disabled`: messages are refused " +
        "with `channel_forbidden`.",
    }),
    pause_reason: z
      .string()
      .nullable()
      .meta({ description: `Why the channel is paused. ${reasonsInWords()} New reasons can be added` }),
  })
  .meta({
    id: "Channel",
    examples: [
      {
        id: "0198e7d1-0c2e-7b11-a3c4-5d2f8e6b7a90",
        name: "Support",
        display_phone_number: "+49 1512 3456789",
        is_default: true,
        state: "active",
        pause_reason: null,
      },
    ],
  });

export const channelPage = pageOutput(channelOutput, "ChannelList");

type ChannelOutput = z.infer<typeof channelOutput>;

/** Lists the organization's channels that the actor may use, in the order of their connection. */
export async function listChannels(args: {
  ctx: Context;
  input: z.output<typeof listChannelsInput>;
}): Promise<Page<ChannelOutput>> {
  const { ctx, input } = args;
  requireCapability(ctx.actor, "channels.read");
  const { limit } = input;
  const after = decodeCursor(ctx, "channels", input.cursor)?.[0] ?? null;
  const allowed = allowedChannels(ctx);
  const rows = await ctx.services.sql<ChannelOutput[]>`
    select id, name, display_phone_number, is_default,
      case when disabled_at is not null then 'disabled' when paused_at is not null then 'paused' else 'active' end as state,
      case when disabled_at is null then pause_reason end as pause_reason
    from channels
    where organization_id = ${ctx.actor.organizationId}
      and (${allowed}::uuid[] is null or id = any(${allowed}::uuid[]))
      and (${after}::uuid is null or id > ${after})
    order by id limit ${limit + 1}`;
  return pageOf({
    ctx,
    list: "channels",
    rows,
    limit,
    shape: (row) => ({ ...row }),
    position: (row) => [row.id],
  });
}
