import { z } from "zod";
import type { SqlFragment } from "@/db/client";
import { DELIVERY_STATES } from "@/db/schema";
import { equivalentHandles } from "@/server/adapters/whatsapp/handles";
import { allowedChannels, requireKnownChannel } from "@/server/core/channel-access";
import type { Context } from "@/server/core/context";
import { timeInput } from "@/server/core/input/time-input";
import { pageInput } from "@/server/core/paging";
import { findThreads } from "@/server/domain/contacts/find-threads";
import { numberInput } from "@/server/domain/contacts/number-input";
import { DIRECTIONS } from "../model/conversation-schemas";
import { clientMessageId } from "../model/send-request";

const STATE = { $ref: "#/components/schemas/DeliveryState" };

/** One state, or several: a parameter that is repeated arrives as an array. */
const states = z
  .union([z.string(), z.array(z.string())])
  .transform((given, issues) => {
    const result = z.array(z.enum(DELIVERY_STATES)).min(1).safeParse([given].flat());
    if (result.success) return result.data;
    issues.addIssue({ code: "custom", message: `must be one of ${DELIVERY_STATES.join(", ")}` });
    return z.NEVER;
  })
  .meta({
    description:
      "Only messages in this state. Repeat the parameter for several states: `state=sent&state=failed`",
    override: { anyOf: [STATE, { type: "array", items: STATE, minItems: 1 }] },
  });

export const listMessagesInput = z.strictObject({
  client_message_id: clientMessageId(
    "Finds one message, so that a lost answer can be looked up without sending again",
  ).optional(),
  direction: z
    .enum([...DIRECTIONS, "any"])
    .default("outbound")
    .meta({ description: "`inbound`: messages that customers wrote. `any`: both directions" }),
  state: states.optional(),
  channel_id: z.guid().meta({ description: "Only messages of this channel" }).optional(),
  thread_id: z.guid().meta({ description: "Only messages of this conversation" }).optional(),
  contact_id: z
    .guid()
    .meta({ description: "Only messages with this contact. Contacts that were merged count as one" })
    .optional(),
  to: numberInput
    .meta({
      description:
        "Only messages to this phone number, in any spelling with the country code. With `direction`, also messages from " +
        "it. Erased messages have no number: find them by `thread_id` or `contact_id`",
      examples: ["+49 151 12345678"],
      override: { type: "string" },
    })
    .optional(),
  since: timeInput
    .meta({ description: "Only messages accepted or received at this time or later" })
    .optional(),
  until: timeInput.meta({ description: "Only messages accepted or received before this time" }).optional(),
  updated_since: timeInput
    .meta({
      description:
        "Only messages that changed at this time or later: that were accepted or received, changed their state, or were " +
        "erased. Changes the order: by change, the oldest first. No change is left out, and a message can appear again " +
        "on a later page. A change appears within seconds. To continue later, begin two minutes before the time at which " +
        "you began the last time",
    })
    .optional(),
  ...pageInput,
});

export type ListInput = z.output<typeof listMessagesInput>;

/** The filters of a list, looked up. */
export interface ListFilter {
  readonly input: ListInput;
  /** Null: all of them. */
  readonly threadIds: readonly string[] | null;
}

/**
 * Looks up the conversations that a list is limited to.
 * @throws WaypostError `channel_forbidden` for a filter by another channel.
 */
export async function openFilter(ctx: Context, input: ListInput): Promise<ListFilter> {
  if (input.channel_id !== undefined) await requireKnownChannel(ctx, input.channel_id);
  const { thread_id: threadId, contact_id: contactId, to: numbers } = input;
  return { input, threadIds: await findThreads(ctx, { threadId, contactId, numbers }) };
}

/** SQL: the condition on messages `m` that they match the filters, and that the actor may see them. */
export function matching(ctx: Context, { input, threadIds }: ListFilter): SqlFragment {
  const { sql } = ctx.services;
  const given = {
    kinds: input.direction === "any" ? [...DIRECTIONS] : [input.direction],
    states: input.state ?? null,
    clientId: input.client_message_id ?? null,
    channelId: input.channel_id ?? null,
    threadIds: threadIds === null ? null : [...threadIds],
    since: input.since ?? null,
    until: input.until ?? null,
  };
  const allowed = allowedChannels(ctx);
  return sql`m.kind <> 'note' and m.kind = any(${given.kinds}::text[])
    and (${given.states}::text[] is null or m.state = any(${given.states}::text[]))
    and (${given.clientId}::text is null or m.client_message_id = ${given.clientId})
    and (${given.channelId}::uuid is null or m.channel_id = ${given.channelId})
    and (${given.threadIds}::uuid[] is null or m.conversation_id = any(${given.threadIds}::uuid[]))
    and (${allowed}::uuid[] is null or m.channel_id = any(${allowed}::uuid[]))
    and (${given.since}::timestamptz is null or m.created_at >= ${given.since})
    and (${given.until}::timestamptz is null or m.created_at < ${given.until})
    ${ofNumber(ctx, input.to)}`;
}

/** A message that came before senders were stored counts as written from its contact's number. */
function ofNumber({ services: { sql } }: Context, numbers: readonly string[] | undefined): SqlFragment {
  if (numbers === undefined) return sql``;
  const forms = numbers.flatMap(equivalentHandles);
  return sql`and (m.recipient = any(${forms}::text[]) or m.sender_number = any(${forms}::text[])
    or (m.kind = 'inbound' and m.erased_at is null and m.sender_number is null and m.sender_user_id is null))`;
}
