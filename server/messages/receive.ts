import type { TransactionSql } from "@/db/client";
import { newId } from "@/db/schema";
import { ensureContactIn, ensureConversationIn } from "../contacts/ensure";
import type { Context } from "../context";

export interface ReceiveTextInput {
  readonly channelId: string;
  /** The customer's number as WhatsApp gives it: E.164 without the plus sign. */
  readonly from: string;
  readonly profileName: string | null;
  /** WhatsApp's id of the message (wamid): a repeat of it changes nothing. */
  readonly upstreamId: string;
  readonly body: string;
  /** When the customer wrote, by WhatsApp's clock. */
  readonly at: Date;
}

/**
 * Takes in what a customer wrote: makes contact and conversation where they are new, and opens the customer window.
 * Idempotent by `upstreamId`. The conversation keeps its status and assignee.
 */
export async function receiveText(args: {
  ctx: Context;
  input: ReceiveTextInput;
}): Promise<{ messageId: string; contactId: string; conversationId: string }> {
  const { ctx, input } = args;
  const { organizationId } = ctx.actor;
  return ctx.services.sql.begin(async (tx) => {
    const contact = { handle: input.from, name: input.profileName };
    const { contactId } = await ensureContactIn(tx, organizationId, contact, "take");
    const { conversationId } = await ensureConversationIn(tx, organizationId, contactId, input.channelId);
    const [inserted] = await tx<{ id: string }[]>`
      insert into messages (id, organization_id, conversation_id, contact_id, channel_id, kind, type, content,
                            recipient, upstream_id, created_at)
      values (${newId()}, ${organizationId}, ${conversationId}, ${contactId}, ${input.channelId}, 'inbound', 'text',
              ${tx.json({ text: { body: input.body } })}, null, ${input.upstreamId}, now())
      on conflict (channel_id, upstream_id) where upstream_id is not null do nothing
      returning id`;
    if (inserted) {
      await tx`
        update conversations set last_inbound_at = greatest(last_inbound_at, least(${input.at}::timestamptz, now()))
        where organization_id = ${organizationId} and id = ${conversationId}`;
    }
    const messageId = inserted?.id ?? (await findByUpstreamId(tx, organizationId, input));
    return { messageId, contactId, conversationId };
  });
}

async function findByUpstreamId(
  tx: TransactionSql,
  organizationId: string,
  input: ReceiveTextInput,
): Promise<string> {
  const [row] = await tx<{ id: string }[]>`
    select id from messages
    where organization_id = ${organizationId} and channel_id = ${input.channelId} and upstream_id = ${input.upstreamId}`;
  if (!row) throw new Error("The message vanished between insert and read");
  return row.id;
}
