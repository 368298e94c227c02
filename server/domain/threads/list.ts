import { z } from "zod";
import { requireCapability } from "@/server/core/capabilities";
import { allowedChannels, requireKnownChannel } from "@/server/core/channel-access";
import type { Context } from "@/server/core/context";
import { decodeCursor, type Page, pageInput, pageOf, pageOutput } from "@/server/core/paging";
import { findThreads } from "@/server/domain/contacts/find-threads";
import { numberInput } from "@/server/domain/contacts/number-input";
import {
  isListed,
  type Thread,
  threadColumns,
  threadOutput,
  type ThreadRow,
  threadShape,
} from "@/server/domain/conversations/thread";
import { MAX_UUID } from "@/server/lib/uuid";

export const listThreadsInput = z.strictObject({
  contact_id: z
    .guid()
    .meta({ description: "Only conversations with this contact. Contacts that were merged count as one" })
    .optional(),
  to: numberInput
    .meta({
      description: "Only conversations with this phone number, in any spelling with the country code",
      examples: ["+49 151 12345678"],
      override: { type: "string" },
    })
    .optional(),
  channel_id: z.guid().meta({ description: "Only conversations on this channel" }).optional(),
  ...pageInput,
});

export const threadPage = pageOutput(threadOutput, "ThreadList");

type ListInput = z.output<typeof listThreadsInput>;
type ListedRow = ThreadRow & { readonly activitySeq: string };

const LIST = "threads";

/**
 * Lists the conversations on the channels that the actor may use, those with the newest message first. One that
 * continues in another one, and one with an erased contact, isn't listed. A conversation that gets a message while its
 * list is read moves to the front. Each page costs the same however many there are.
 * @throws WaypostError `channel_forbidden` for a filter by another channel.
 */
export async function listThreads(args: { ctx: Context; input: ListInput }): Promise<Page<Thread>> {
  const { ctx, input } = args;
  requireCapability(ctx.actor, "messages.read");
  const [seq = String(Number.MAX_SAFE_INTEGER), id = MAX_UUID] = decodeCursor(ctx, LIST, input.cursor) ?? [];
  if (input.channel_id !== undefined) await requireKnownChannel(ctx, input.channel_id);
  const threadIds = await findThreads(ctx, { contactId: input.contact_id, numbers: input.to });
  const rows = await selectPage(ctx, input, { threadIds, before: { seq, id } });
  return pageOf({
    ctx,
    list: LIST,
    rows,
    limit: input.limit,
    shape: threadShape,
    position: (row) => [row.activitySeq, row.id],
  });
}

/** An index has each channel's conversations in order; an organization has few channels. */
async function selectPage(
  ctx: Context,
  { channel_id, limit }: ListInput,
  { threadIds, before }: { threadIds: readonly string[] | null; before: { seq: string; id: string } },
): Promise<readonly ListedRow[]> {
  const { sql } = ctx.services;
  const { organizationId } = ctx.actor;
  const allowed = allowedChannels(ctx);
  const channelId = channel_id ?? null;
  const among = threadIds === null ? sql`` : sql`and v.id = any(${[...threadIds]}::uuid[])`;
  return sql<ListedRow[]>`
    select ${threadColumns(sql)}, v.last_activity_seq::text as "activitySeq"
    from (
      select c.id as channel_id, n.id
      from channels c cross join lateral (
        select v.id, v.last_activity_seq from conversations v
        where v.channel_id = c.id and v.organization_id = c.organization_id ${among}
          and (v.last_activity_seq, v.id) < (${before.seq}::bigint, ${before.id}::uuid) and ${isListed(sql)}
        order by v.last_activity_seq desc, v.id desc limit ${limit + 1}) n
      where c.organization_id = ${organizationId}
        and (${channelId}::uuid is null or c.id = ${channelId})
        and (${allowed}::uuid[] is null or c.id = any(${allowed}::uuid[]))
      order by n.last_activity_seq desc, n.id desc limit ${limit + 1}
    ) p
    join conversations v on v.id = p.id and v.organization_id = ${organizationId}
    join channels c on c.id = v.channel_id and c.organization_id = v.organization_id
    join contacts k on k.id = v.contact_id and k.organization_id = v.organization_id
    order by v.last_activity_seq desc, v.id desc`;
}
