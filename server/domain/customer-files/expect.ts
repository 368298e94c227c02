import type { TransactionSql } from "@/db/client";
import { newId } from "@/db/schema";
import type { InboundContent } from "@/server/adapters/whatsapp/inbound-content";

/** WhatsApp keeps a file for this long. */
const KEPT_DAYS = 7;

interface Expected {
  readonly organizationId: string;
  readonly messageId: string;
  readonly channelId: string;
  readonly content: InboundContent;
  /** When the customer wrote the message. */
  readonly at: Date;
}

/**
 * Makes the file of a customer's message due to be fetched, in the message's transaction.
 * @returns the file's id, to notify after the commit. Null if the message has no file.
 */
export async function expectFileIn(tx: TransactionSql, expected: Expected): Promise<string | null> {
  const { organizationId, messageId, channelId, content, at } = expected;
  if (content.media === undefined) return null;
  const fileId = newId();
  await tx`
    insert into customer_files (id, organization_id, message_id, channel_id, media_id, next_attempt_at, expires_at,
                                created_at)
    values (${fileId}, ${organizationId}, ${messageId}, ${channelId}, ${content.media.id}, now(),
            least(${at}::timestamptz, now()) + make_interval(days => ${KEPT_DAYS}), now())`;
  return fileId;
}
