import type { DeliveryState } from "@/db/schema";
import { createBatcher } from "../batch";
import { requireCapability } from "../capabilities";
import { type Context, perServices } from "../context";
import { catalogueEntry, isErrorCode, WaypostError } from "../errors";
import { mayUseChannel } from "./destination";
import type { MessageOutput } from "./schemas";

interface MessageRow {
  readonly id: string;
  readonly clientMessageId: string | null;
  readonly conversationId: string;
  readonly contactId: string;
  readonly channelId: string;
  readonly type: string;
  readonly state: DeliveryState;
  readonly errorCode: string | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly readAt: Date | null;
  readonly failedAt: Date | null;
}

interface Query {
  readonly organizationId: string;
  readonly messageId: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const BATCH_MAX = 64;
const IN_FLIGHT_MAX = 1;

const batcherOf = perServices((services) =>
  createBatcher<Query, MessageRow | null>({
    itemsMax: BATCH_MAX,
    inFlightMax: IN_FLIGHT_MAX,
    run: async (queries) => {
      const rows = await services.sql<(MessageRow & { position: number })[]>`
        select q.position::int, m.id, m.client_message_id as "clientMessageId",
          m.conversation_id as "conversationId", m.contact_id as "contactId", m.channel_id as "channelId", m.type,
          m.state, m.error_code as "errorCode", m.created_at as "createdAt", m.sent_at as "sentAt",
          m.delivered_at as "deliveredAt", m.read_at as "readAt", m.failed_at as "failedAt"
        from unnest(
          ${queries.map((query) => query.organizationId)}::uuid[], ${queries.map((query) => query.messageId)}::uuid[]
        ) with ordinality as q (organization_id, id, position)
        join messages m on m.organization_id = q.organization_id and m.id = q.id and m.kind = 'outbound'`;
      const found = new Map(rows.map((row) => [row.position, row]));
      return queries.map((_, index) => found.get(index + 1) ?? null);
    },
  }),
);

/**
 * One message that was sent, as the public API shows it.
 * @throws WaypostError `message_not_found`, the same for an unknown or malformed id, another organization's message,
 * an internal note and a message on a channel that the key may not use.
 */
export async function getMessage(args: { ctx: Context; input: { id: string } }): Promise<MessageOutput> {
  const { ctx, input } = args;
  requireCapability(ctx.actor, "messages.read");
  if (!UUID.test(input.id)) throw new WaypostError("message_not_found");
  const { organizationId } = ctx.actor;
  const row = await batcherOf(ctx.services)({ organizationId, messageId: input.id.toLowerCase() });
  if (row === null || !mayUseChannel(ctx, row.channelId)) throw new WaypostError("message_not_found");
  return readShape(row);
}

function readShape(row: MessageRow): MessageOutput {
  return {
    message_id: row.id,
    client_message_id: row.clientMessageId,
    thread_id: row.conversationId,
    contact_id: row.contactId,
    channel_id: row.channelId,
    type: row.type,
    delivery_state: row.state,
    error: row.errorCode === null ? null : errorShape(row.errorCode, row.failedAt),
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

function errorShape(code: string, failedAt: Date | null): NonNullable<MessageOutput["error"]> {
  const entry = catalogueEntry(isErrorCode(code) ? code : "internal_error");
  const { message, resend, resendAfterSeconds } = entry;
  const resendAfter =
    resendAfterSeconds === undefined || failedAt === null
      ? null
      : new Date(failedAt.getTime() + resendAfterSeconds * 1000);
  return { code, message, resend, resend_after: isoOrNull(resendAfter) };
}
