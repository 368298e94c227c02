import type { TransactionSql } from "@/db/client";
import type { ReceivedEventData } from "@/server/domain/webhooks/events/event-schemas";
import { receivedContent } from "@/server/domain/webhooks/events/received-content";
import { storeEvents } from "@/server/domain/webhooks/events/store-events";
import type { ReceiveMessageInput } from "./receive";

/** A customer's message that was just stored. */
interface Received {
  readonly organizationId: string;
  readonly messageId: string;
  readonly contactId: string;
  readonly conversationId: string;
  readonly receivedAt: Date;
}

/**
 * Stores the webhook event for an inbound message, in the message's transaction.
 * @returns endpoints to notify after the commit.
 */
export function announceReceived(
  tx: TransactionSql,
  received: Received,
  { channelId, from, profileName, content, at }: ReceiveMessageInput,
): Promise<readonly string[]> {
  const { organizationId, messageId, contactId, conversationId, receivedAt } = received;
  const data: ReceivedEventData = {
    message_id: messageId,
    thread_id: conversationId,
    contact_id: contactId,
    channel_id: channelId,
    type: content.type,
    from: { kind: "whatsapp", handle: from.number, user_id: from.userId, name: profileName },
    content: receivedContent(content),
    written_at: at.toISOString(),
    received_at: receivedAt.toISOString(),
  };
  const event = { organizationId, type: "message.received", messageId, channelId, sequence: null } as const;
  return storeEvents(tx, [{ ...event, at: receivedAt, data }]);
}
