import { z } from "zod";
import { requireCapability } from "@/server/core/capabilities";
import { canUseChannel } from "@/server/core/channel-access";
import type { Context } from "@/server/core/context";
import { isUuid } from "@/server/lib/uuid";
import { WaypostError } from "@/server/platform/errors";
import {
  continuedIn,
  type Thread,
  threadColumns,
  type ThreadRow,
  threadShape,
} from "@/server/domain/conversations/thread";

export const getThreadInput = z.strictObject({
  thread_id: z.string().meta({ description: "Id of the conversation" }),
});

/**
 * Returns one conversation. The id of a conversation that continues in another one leads to that one.
 * @throws WaypostError `thread_not_found`, the same for an unknown or malformed id, another organization's conversation,
 * one on a channel that the key may not use, and one with an erased contact.
 */
export async function getThread(args: {
  ctx: Context;
  input: z.output<typeof getThreadInput>;
}): Promise<Thread> {
  const { ctx, input } = args;
  requireCapability(ctx.actor, "messages.read");
  const row = isUuid(input.thread_id) ? await selectThread(ctx, input.thread_id) : undefined;
  if (!row || !canUseChannel(ctx, row.channelId)) {
    throw new WaypostError("thread_not_found", {
      field: "thread_id",
      message: "The conversation doesn't exist.",
    });
  }
  return threadShape(row);
}

async function selectThread(
  { services: { sql }, actor }: Context,
  id: string,
): Promise<ThreadRow | undefined> {
  const [row] = await sql<ThreadRow[]>`
    select ${threadColumns(sql)}
    from conversations v
    join channels c on c.id = v.channel_id and c.organization_id = v.organization_id
    join contacts k on k.id = v.contact_id and k.organization_id = v.organization_id
    where v.organization_id = ${actor.organizationId} and k.erased_at is null and v.id = (
      select coalesce(${continuedIn(sql)}, v.id) from conversations v
      join contacts k on k.id = v.contact_id and k.organization_id = v.organization_id
      where v.id = ${id} and v.organization_id = ${actor.organizationId})`;
  return row;
}
