import type { Sql } from "@/db/client";
import type { DeliveryState } from "@/db/schema";
import type { Services } from "@/server/core/context";
import { explainFailure, knownCode } from "./explain-failure";
import type { MessageOutput } from "./schemas";

/** The columns needed to show an outbound message. */
export interface ReadRow {
  readonly id: string;
  readonly clientMessageId: string | null;
  readonly conversationId: string;
  readonly contactId: string;
  readonly channelId: string;
  readonly type: string;
  readonly state: DeliveryState;
  readonly errorCode: string | null;
  readonly errorDetail: unknown;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly readAt: Date | null;
  readonly failedAt: Date | null;
}

/** The columns of `ReadRow`, of messages under the name `m`. */
export function readColumns(sql: Sql) {
  return sql`m.id, m.client_message_id as "clientMessageId", m.conversation_id as "conversationId",
    m.contact_id as "contactId", m.channel_id as "channelId", m.type, m.state, m.error_code as "errorCode",
    m.error_detail as "errorDetail",
    m.created_at as "createdAt", m.sent_at as "sentAt", m.delivered_at as "deliveredAt", m.read_at as "readAt",
    m.failed_at as "failedAt"`;
}

/** A message as the public API shows it. */
export function readShape(row: ReadRow, { urls }: Pick<Services, "urls">): MessageOutput {
  return {
    message_id: row.id,
    client_message_id: row.clientMessageId,
    thread_id: row.conversationId,
    contact_id: row.contactId,
    channel_id: row.channelId,
    type: row.type,
    delivery_state: row.state,
    error: row.errorCode === null ? null : errorShape(row.errorCode, row, urls),
    created_at: row.createdAt.toISOString(),
    sent_at: isoOrNull(row.sentAt),
    delivered_at: isoOrNull(row.deliveredAt),
    read_at: isoOrNull(row.readAt),
    failed_at: isoOrNull(row.failedAt),
  };
}

function isoOrNull(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}

function errorShape(
  code: string,
  { errorDetail, failedAt }: ReadRow,
  urls: Services["urls"],
): NonNullable<MessageOutput["error"]> {
  const { message, resend, resendAfter, upstream } = explainFailure({
    errorCode: code,
    errorDetail,
    failedAt,
  });
  const resend_after = isoOrNull(resendAfter);
  return { code, message, resend, resend_after, doc_url: urls.documentation(knownCode(code)), upstream };
}
