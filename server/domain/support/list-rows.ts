import type { Sql } from "@/db/client";
import type { DeliveryState } from "@/db/schema";
import { windowOpenUntil } from "@/server/domain/conversations/customer-window";
import { type Thread, threadShape } from "@/server/domain/conversations/thread";
import { type Customer, customerColumns, customerJoin, customerOf, type CustomerRow } from "./conversation";
import {
  assigneeColumns,
  assigneeJoin,
  channelColumns,
  channelOf,
  type ChannelRow,
  type ConversationChannel,
  type NamedMember,
} from "./get";
import { previewOf } from "@/server/domain/messages/read/preview";

/** The last message of a conversation, as the list shows it. */
export interface LastMessage {
  readonly id: string;
  readonly direction: "outbound" | "inbound";
  readonly type: string;
  /** Null if it has no words, or was erased. */
  readonly preview: string | null;
  /** Of an outbound message. */
  readonly state: DeliveryState | null;
  readonly isErased: boolean;
  readonly at: Date;
}

/** A conversation as a list shows it. */
export interface ConversationSummary {
  readonly id: string;
  /** As the public API shows it. */
  readonly thread: Thread;
  readonly customer: Customer;
  readonly channel: ConversationChannel;
  readonly assignee: NamedMember | null;
  readonly lastMessage: LastMessage | null;
}

/** The columns of a listed conversation; `sequence` and id are its position. */
export interface ListedRow extends CustomerRow, ChannelRow {
  readonly id: string;
  readonly sequence: number;
  readonly status: "open" | "closed";
  readonly assigneeId: string | null;
  readonly assigneeName: string | null;
  readonly windowOpenUntil: Date | null;
  readonly lastMessageAt: Date | null;
  readonly messageId: string | null;
  readonly messageKind: "outbound" | "inbound" | null;
  readonly messageType: string | null;
  readonly messagePreview: string | null;
  readonly messageState: DeliveryState | null;
  readonly isMessageErased: boolean | null;
  readonly messageAt: Date | null;
}

/** The columns of `ListedRow`, of conversations `v` with `listedJoins`. */
export const listedColumns = (sql: Sql) => sql`
  v.id, v.last_activity_seq as sequence, v.status, ${assigneeColumns(sql)}, ${channelColumns(sql)},
  ${customerColumns(sql)}, ${windowOpenUntil(sql)} as "windowOpenUntil", v.last_message_at as "lastMessageAt", m.id as "messageId",
  m.kind as "messageKind", m.type as "messageType", m.preview as "messagePreview", m.state as "messageState",
  m."isErased" as "isMessageErased", m.created_at as "messageAt"`;

/** The joins for names and for the last message, which one of two indexes finds. */
export const listedJoins = (sql: Sql) => {
  const last = (erasure: "is null" | "is not null") => sql`
    select m.id, m.kind, m.type, ${previewOf(sql)} as preview, m.state, m.erased_at is not null as "isErased",
      m.created_at
    from messages m
    where m.conversation_id = v.id and m.organization_id = v.organization_id and m.erased_at ${sql.unsafe(erasure)}
      and m.accept_seq = v.last_activity_seq`;
  return sql`
    ${customerJoin(sql)}
    join channels c on c.id = v.channel_id and c.organization_id = v.organization_id
    ${assigneeJoin(sql)}
    left join lateral (${last("is null")} union all ${last("is not null")}) m on true`;
};

export function summaryOf(row: ListedRow): ConversationSummary {
  const { id, assigneeId, assigneeName } = row;
  return {
    id,
    thread: threadShape(row),
    customer: customerOf(row),
    channel: channelOf(row),
    assignee: assigneeId === null ? null : { id: assigneeId, name: assigneeName },
    lastMessage: lastMessageOf(row),
  };
}

function lastMessageOf(row: ListedRow): LastMessage | null {
  const { messageId, messageKind, messageType, messageAt } = row;
  if (messageId === null || messageKind === null || messageType === null || messageAt === null) return null;
  return {
    id: messageId,
    direction: messageKind,
    type: messageType,
    preview: row.messagePreview,
    state: row.messageState,
    isErased: row.isMessageErased ?? false,
    at: messageAt,
  };
}
