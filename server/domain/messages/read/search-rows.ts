import type { Sql } from "@/db/client";
import type { DeliveryState } from "@/db/schema";
import type { ResendAdvice } from "@/server/platform/errors";
import { explainFailure } from "../model/explain-failure";
import type { MatchKind } from "./search-matches";
import { previewOf } from "./preview";

/** The sender of a message: an integrator's key, a member by hand, or Waypost itself, as in the demo. */
export type Sender =
  | { readonly kind: "key"; readonly id: string; readonly name: string | null }
  | { readonly kind: "member"; readonly id: string; readonly name: string | null }
  | { readonly kind: "waypost" };

export interface NamedThing {
  readonly id: string;
  readonly name: string | null;
}

/** Why a message failed, in plain words. */
export interface FailureSummary {
  readonly code: string;
  readonly message: string;
  readonly resend: ResendAdvice;
  /** With `later`, if the time is known. */
  readonly resendAfter: Date | null;
}

/** A message as a list for members shows it. */
export interface MessageSummary {
  readonly id: string;
  readonly clientMessageId: string | null;
  readonly threadId: string;
  readonly state: DeliveryState;
  readonly type: string;
  /** The start of the text or caption, else the name of the template or file; null if there is none. */
  readonly preview: string | null;
  /** Null once erased. */
  readonly recipient: string | null;
  readonly contact: NamedThing;
  readonly channel: NamedThing & { readonly isPaused: boolean; readonly isDisabled: boolean };
  readonly sender: Sender;
  readonly error: FailureSummary | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly readAt: Date | null;
  readonly failedAt: Date | null;
  /** When it was handed over without a response: since then it waits for confirmation. */
  readonly inDoubtSince: Date | null;
  readonly erasedAt: Date | null;
  /** It waits because its channel is paused or disabled. */
  readonly waitsForChannel: boolean;
  /** The kind of match with the search text; null without one. */
  readonly matchedBy: MatchKind | null;
}

/** The columns needed to show a message to members; `acceptSeq` is its position in the order. */
export interface SummaryRow extends Omit<
  MessageSummary,
  "contact" | "channel" | "sender" | "error" | "matchedBy" | "waitsForChannel"
> {
  readonly acceptSeq: number;
  readonly contactId: string;
  readonly contactName: string | null;
  readonly channelId: string;
  readonly channelName: string;
  readonly isChannelPaused: boolean;
  readonly isChannelDisabled: boolean;
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly memberId: string | null;
  readonly memberName: string | null;
  readonly errorCode: string | null;
  readonly errorDetail: unknown;
  readonly pauseReason: string | null;
  /** `X-Request-Id` of the accepted request. */
  readonly requestId: string | null;
  /** WhatsApp's own id of the message (wamid). */
  readonly upstreamId: string | null;
}

/** The columns of `SummaryRow`, of messages under the name `m` with `summaryJoins`. */
export function summaryColumns(sql: Sql) {
  return sql`m.accept_seq as "acceptSeq", m.id, m.client_message_id as "clientMessageId",
    m.conversation_id as "threadId", m.state, m.type,
    coalesce(${previewOf(sql)}, t.name) as preview,
    m.recipient, m.contact_id as "contactId", coalesce(l.name, k.name) as "contactName",
    m.channel_id as "channelId", c.name as "channelName", c.paused_at is not null as "isChannelPaused",
    c.disabled_at is not null as "isChannelDisabled", m.key_id as "keyId", a.name as "keyName",
    m.member_id as "memberId", u.name as "memberName", m.error_code as "errorCode",
    m.error_detail as "errorDetail", m.created_at as "createdAt",
    m.sent_at as "sentAt", m.delivered_at as "deliveredAt", m.read_at as "readAt", m.failed_at as "failedAt",
    m.in_doubt_since as "inDoubtSince", m.erased_at as "erasedAt", c.pause_reason as "pauseReason",
    m.request_id as "requestId", m.upstream_id as "upstreamId"`;
}

/** The joins for the names. A merged contact gets the name of the contact it was merged into. */
export function summaryJoins(sql: Sql) {
  return sql`
    join contacts k on k.id = m.contact_id and k.organization_id = m.organization_id
    left join contacts l on l.id = k.merged_into and l.organization_id = m.organization_id
    join channels c on c.id = m.channel_id and c.organization_id = m.organization_id
    left join api_keys a on a.id = m.key_id and a.organization_id = m.organization_id
    left join templates t on t.id = m.template_id and t.organization_id = m.organization_id and m.erased_at is null
    left join members b on b.id = m.member_id and b.organization_id = m.organization_id
    left join users u on u.id = b.user_id`;
}

export function summaryOf(row: SummaryRow, matchedBy: MatchKind | null): MessageSummary {
  const isStopped = row.isChannelPaused || row.isChannelDisabled;
  return {
    id: row.id,
    clientMessageId: row.clientMessageId,
    threadId: row.threadId,
    state: row.state,
    type: row.type,
    preview: row.preview,
    recipient: row.recipient,
    contact: { id: row.contactId, name: row.contactName },
    channel: {
      id: row.channelId,
      name: row.channelName,
      isPaused: row.isChannelPaused,
      isDisabled: row.isChannelDisabled,
    },
    sender: senderOf(row),
    error: failureOf(row),
    createdAt: row.createdAt,
    sentAt: row.sentAt,
    deliveredAt: row.deliveredAt,
    readAt: row.readAt,
    failedAt: row.failedAt,
    inDoubtSince: row.inDoubtSince,
    erasedAt: row.erasedAt,
    waitsForChannel: row.state === "queued" && row.inDoubtSince === null && isStopped,
    matchedBy,
  };
}

/** Returns who sent an outbound message. */
export function senderOf({
  keyId,
  keyName,
  memberId,
  memberName,
}: Pick<SummaryRow, "keyId" | "keyName" | "memberId" | "memberName">): Sender {
  if (keyId !== null) return { kind: "key", id: keyId, name: keyName };
  if (memberId !== null) return { kind: "member", id: memberId, name: memberName };
  return { kind: "waypost" };
}

function failureOf({ errorCode, errorDetail, failedAt }: SummaryRow): FailureSummary | null {
  if (errorCode === null) return null;
  const { message, resend, resendAfter } = explainFailure({ errorCode, errorDetail, failedAt });
  return { code: errorCode, message, resend, resendAfter };
}
