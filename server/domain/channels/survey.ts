import { z } from "zod";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { decodeCursor, type Page, pageInput, pageOf } from "@/server/core/paging";
import { type ChannelView, readChannels } from "./view";

export const surveyChannelsInput = z.strictObject(pageInput);

const LIST = "channel survey";

/**
 * Lists the organization's channels with everything that members may see, including disabled ones, in the order of
 * their connection.
 * @throws WaypostError `permission_denied` for keys, and without `channels.read`.
 */
export async function surveyChannels(args: {
  ctx: Context;
  input: z.output<typeof surveyChannelsInput>;
}): Promise<Page<ChannelView>> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "channels.read");
  const { limit } = input;
  const after = decodeCursor(ctx, LIST, input.cursor)?.[0] ?? null;
  const which = ctx.services.sql`(${after}::uuid is null or c.id > ${after})`;
  const rows = await readChannels(ctx, { which, rowsMax: limit + 1 });
  return pageOf({ ctx, list: LIST, rows, limit, shape: (row) => row, position: ({ id }) => [id] });
}
