import { z } from "zod";
import type { Sql } from "@/db/client";
import { ABOUT_TYPES } from "@/db/schema";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { windowDenied, windowOpenUntil } from "@/server/domain/conversations/customer-window";
import { continuedIn, type Thread, threadShape } from "@/server/domain/conversations/thread";
import { MARKABLE_DAYS } from "@/server/domain/messages/marks/claim-marks";
import { ofRecipient, refusedUntil } from "@/server/domain/messages/send/send-facts";
import { isUuid } from "@/server/lib/uuid";
import {
  type Customer,
  customerColumns,
  customerJoin,
  customerOf,
  type CustomerRow,
  noSuchConversation,
} from "./conversation";

export const conversationIdInput = z.strictObject({ threadId: z.string() });

export interface ConversationChannel {
  readonly id: string;
  readonly name: string;
  /** As people write it. */
  readonly displayPhoneNumber: string;
  readonly isSimulated: boolean;
  readonly isPaused: boolean;
  readonly isDisabled: boolean;
}

/** A member's name, also after the member was removed. */
export interface NamedMember {
  readonly id: string;
  readonly name: string | null;
}

/** A conversation as its page's header shows it. */
export interface ConversationDetail {
  readonly id: string;
  /** As the public API shows it. */
  readonly thread: Thread;
  readonly customer: Customer & {
    readonly marketingOptedOutAt: Date | null;
    /** Messages are refused until then, because WhatsApp couldn't deliver one to the customer. Null otherwise. */
    readonly unreachableUntil: Date | null;
  };
  readonly channel: ConversationChannel;
  readonly assignee: NamedMember | null;
  /** The customer hasn't written on this channel. The number was in use before, so the window counts as open. */
  readonly isWindowAssumed: boolean;
  /** WhatsApp reported that the window is closed. */
  readonly isWindowDenied: boolean;
  /** The person's other conversation on the channel, where new messages go: the contact was merged. */
  readonly continuedIn: string | null;
  /** The customer's newest message, if WhatsApp takes a mark as read of it. */
  readonly markable: MarkableMessage | null;
  readonly createdAt: Date;
}

/** A customer's message that can be marked as read. */
export interface MarkableMessage {
  readonly messageId: string;
  /** It is marked already, or a later one is. */
  readonly isRead: boolean;
}

interface Row extends CustomerRow, ChannelRow {
  readonly id: string;
  readonly status: "open" | "closed";
  readonly assigneeId: string | null;
  readonly assigneeName: string | null;
  readonly marketingOptedOutAt: Date | null;
  readonly unreachableUntil: Date | null;
  readonly windowOpenUntil: Date | null;
  readonly lastMessageAt: Date | null;
  readonly isWindowDenied: boolean;
  readonly lastWroteAt: Date | null;
  readonly continuedIn: string | null;
  readonly markable: MarkableMessage | null;
  readonly createdAt: Date;
}

/** The columns of a channel `c` in a conversation. */
export const channelColumns = (sql: Sql) => sql`
  c.id as "channelId", c.name as "channelName", c.display_phone_number as "displayPhoneNumber",
  c.upstream = 'simulator' as "isSimulated", c.paused_at is not null as "isPaused",
  c.disabled_at is not null as "isDisabled"`;

/** The columns and joins of the assignee of a conversation `v`. */
export const assigneeColumns = (sql: Sql) => sql`v.assignee_id as "assigneeId", u.name as "assigneeName"`;
export const assigneeJoin = (sql: Sql) => sql`
  left join members b on b.id = v.assignee_id and b.organization_id = v.organization_id
  left join users u on u.id = b.user_id`;

/**
 * Returns what surrounds the messages of a conversation: customer, channel, window, state and assignee.
 * @throws WaypostError `permission_denied` without `messages.read`; `thread_not_found`, the same for an unknown or
 * malformed id and another organization's.
 */
export async function getConversation(args: {
  ctx: Context;
  input: z.output<typeof conversationIdInput>;
}): Promise<ConversationDetail> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "messages.read");
  const row = isUuid(input.threadId) ? await readConversation(ctx, input.threadId) : undefined;
  if (row === undefined) throw noSuchConversation();
  const { id, assigneeId, assigneeName, isWindowDenied, markable, createdAt } = row;
  const { marketingOptedOutAt, unreachableUntil } = row;
  return {
    id,
    thread: threadShape(row),
    customer: { ...customerOf(row), marketingOptedOutAt, unreachableUntil },
    channel: channelOf(row),
    assignee: assigneeId === null ? null : { id: assigneeId, name: assigneeName },
    isWindowAssumed: row.windowOpenUntil !== null && row.lastWroteAt === null,
    isWindowDenied,
    continuedIn: row.continuedIn,
    markable,
    createdAt,
  };
}

/** The columns that describe the channel of a conversation. */
export interface ChannelRow {
  readonly channelId: string;
  readonly channelName: string;
  readonly displayPhoneNumber: string;
  readonly isSimulated: boolean;
  readonly isPaused: boolean;
  readonly isDisabled: boolean;
}

export function channelOf(row: ChannelRow): ConversationChannel {
  const { channelId, channelName, displayPhoneNumber, isSimulated, isPaused, isDisabled } = row;
  return { id: channelId, name: channelName, displayPhoneNumber, isSimulated, isPaused, isDisabled };
}

async function readConversation({ services, actor }: Context, id: string): Promise<Row | undefined> {
  const { sql } = services;
  const [row] = await sql<Row[]>`
    select v.id, v.status, ${assigneeColumns(sql)}, ${channelColumns(sql)}, ${customerColumns(sql)},
      k.marketing_opted_out_at as "marketingOptedOutAt", ${ofRecipient(sql, refusedUntil(sql))} as "unreachableUntil",
      ${windowOpenUntil(sql)} as "windowOpenUntil", v.last_message_at as "lastMessageAt",
      ${windowDenied(sql)} as "isWindowDenied", v.last_inbound_at as "lastWroteAt", v.created_at as "createdAt",
      ${continuedIn(sql, sql`v`, sql`o`)} as "continuedIn", ${markable(sql)} as markable
    from conversations v ${customerJoin(sql)}
    join channels c on c.id = v.channel_id and c.organization_id = v.organization_id
    ${assigneeJoin(sql)}
    where v.id = ${id} and v.organization_id = ${actor.organizationId}`;
  return row;
}

/** Only so many of the newest messages are examined: an older one of the customer isn't offered for marking. */
const EXAMINED_MAX = 50;

/** SQL: the `MarkableMessage` of a conversation `v` on a channel `c`. A reaction or a change has no ticks of its own. */
const markable = (sql: Sql) => sql`
  case when c.disabled_at is null then (
    select json_build_object('messageId', n.id, 'isRead', exists (
      select from read_marks r where r.conversation_id = v.id and r.organization_id = v.organization_id
        and r.accept_seq >= n.accept_seq and r.failure is null))
    from (
      select m.id, m.accept_seq, m.kind, m.type, m.upstream_id, m.created_at from messages m
      where m.conversation_id = v.id and m.organization_id = v.organization_id and m.erased_at is null
      order by m.accept_seq desc limit ${EXAMINED_MAX}) n
    where n.kind = 'inbound' and not (${sql.unsafe(ABOUT_TYPES)}) and n.upstream_id is not null
      and n.created_at > now() - make_interval(days => ${MARKABLE_DAYS})
    order by n.accept_seq desc limit 1) end`;
