import { z } from "zod";
import { requireCapability } from "@/server/core/capabilities";
import { canUseChannel } from "@/server/core/channel-access";
import type { Context } from "@/server/core/context";
import { isUuid } from "@/server/lib/uuid";
import { WaypostError } from "@/server/platform/errors";
import { MARKABLE_DAYS } from "./claim-marks";

export const markReadInput = z.strictObject({
  id: z.string().meta({ description: "Id of a customer's message" }),
  typing: z
    .literal([true, false])
    .nullish()
    .meta({
      description:
        "True also shows the customer that an answer is being written, for 25 seconds or until a message arrives. " +
        "False if absent",
    }),
});

export const markReadOutput = z
  .object({
    message_id: z.guid(),
    thread_id: z.guid(),
    typing: z.boolean().meta({ description: "Whether the typing indicator was requested" }),
  })
  .meta({
    id: "ReadMark",
    description: "A customer's message that was marked as read, with those before it",
    examples: [
      {
        message_id: "0198f0a7-1d3e-7b60-a4c2-5f6e7d8c9b0a",
        thread_id: "0198f0a4-5b60-7e8f-9a0b-1c2d3e4f5a6b",
        typing: false,
      },
    ],
  });

/** Bodies of POST /messages/{id}/read, as in the OpenAPI document. */
export const MARK_READ_EXAMPLES = {
  read: { summary: "Only mark it as read", value: {} },
  typing: { summary: "Also show that an answer is being written", value: { typing: true } },
} as const;

interface Marked {
  readonly kind: "outbound" | "inbound" | "note";
  readonly threadId: string;
  readonly channelId: string;
  readonly acceptSeq: number;
  /** Why WhatsApp can't be told; null if it can. */
  readonly obstacle: "no_upstream_id" | "erased" | "too_old" | "channel_disabled" | null;
}

const OBSTACLES = {
  no_upstream_id: "WhatsApp gave no id for this message, so it can't be marked as read.",
  erased: "The message was erased, so it can't be marked as read.",
  too_old: `The message is older than ${MARKABLE_DAYS} days, so it can't be marked as read.`,
  channel_disabled: "The channel of this message is disabled, so the message can't be marked as read.",
} as const satisfies Record<NonNullable<Marked["obstacle"]>, string>;

/**
 * Marks a customer's message, and those before it, as read. When it returns, the mark is stored durably; a job hands it
 * to WhatsApp. A mark never goes back to an earlier message of the thread. It can be repeated.
 * @throws WaypostError `message_not_found`, the same for an unknown or malformed id, another organization's message, an
 * internal note and a message on a channel that the key may not use; `message_not_inbound`; `message_not_markable`;
 * `missing_scope`; `permission_denied`.
 */
export async function markRead(args: {
  ctx: Context;
  input: z.output<typeof markReadInput>;
}): Promise<z.output<typeof markReadOutput>> {
  const { ctx, input } = args;
  requireCapability(ctx.actor, "messages.send");
  const message = isUuid(input.id) ? await readMessage(ctx, input.id) : null;
  if (message === null || message.kind === "note" || !canUseChannel(ctx, message.channelId))
    throw new WaypostError("message_not_found");
  if (message.kind === "outbound") throw new WaypostError("message_not_inbound");
  if (message.obstacle !== null)
    throw new WaypostError("message_not_markable", { message: OBSTACLES[message.obstacle] });
  const messageId = input.id.toLowerCase();
  const isTyping = input.typing === true;
  if (await store(ctx, messageId, message, isTyping)) ctx.services.jobs.notifyMarks(message.channelId);
  return { message_id: messageId, thread_id: message.threadId, typing: isTyping };
}

async function readMessage({ services, actor }: Context, id: string): Promise<Marked | null> {
  const [message] = await services.sql<Marked[]>`
    select m.kind, m.conversation_id as "threadId", m.channel_id as "channelId", m.accept_seq::float8 as "acceptSeq",
      case when m.erased_at is not null then 'erased' when m.upstream_id is null then 'no_upstream_id'
        when m.created_at <= now() - make_interval(days => ${MARKABLE_DAYS}) then 'too_old'
        when c.disabled_at is not null then 'channel_disabled' end as obstacle
    from messages m join channels c on c.id = m.channel_id and c.organization_id = m.organization_id
    where m.id = ${id} and m.organization_id = ${actor.organizationId}`;
  return message ?? null;
}

/** @returns false if it changes nothing: a later message was already marked, and no typing indicator is requested. */
async function store(
  { services, actor }: Context,
  messageId: string,
  { threadId, channelId, acceptSeq }: Marked,
  isTyping: boolean,
): Promise<boolean> {
  const { count } = await services.sql`
    insert into read_marks as r (conversation_id, organization_id, channel_id, message_id, accept_seq, typing_at,
      requested_at, is_pending, next_attempt_at)
    values (${threadId}, ${actor.organizationId}, ${channelId}, ${messageId}, ${acceptSeq},
      case when ${isTyping}::boolean then clock_timestamp() end, clock_timestamp(), true, clock_timestamp())
    on conflict (conversation_id, organization_id) do update set
      message_id = case when excluded.accept_seq > r.accept_seq then excluded.message_id else r.message_id end,
      accept_seq = greatest(excluded.accept_seq, r.accept_seq),
      typing_at = coalesce(excluded.typing_at, r.typing_at), requested_at = excluded.requested_at,
      is_pending = true, next_attempt_at = excluded.next_attempt_at, attempts = 0, failure = null
    where excluded.accept_seq > r.accept_seq or excluded.typing_at is not null
      or (excluded.accept_seq = r.accept_seq and r.failure is not null)`;
  return count > 0;
}
