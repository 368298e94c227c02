import { z } from "zod";
import type { TransactionSql } from "@/db/client";
import { recordAuditBySql } from "@/server/core/audit/record";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { isUuid } from "@/server/lib/uuid";
import { wallClock } from "@/server/lib/wall-clock";
import { type SendMessageInput, sendMessageInput } from "../model/send-request";
import { sendMarked } from "./send";
import { type Explanation, type ExplanationFacts, explainMessage } from "../read/explanation";

export const resendMessageInput = z.strictObject({
  messageId: z.string(),
  /** Created by the page when it shows the button: repeated clicks send one message. */
  idempotencyToken: z.guid(),
  /** Accepts that it may arrive twice. Required if it may have arrived, or if it was already sent again. */
  acceptRisk: z.boolean().default(false),
});

export interface SentByHand {
  readonly messageId: string;
  readonly threadId: string;
  /** The same token has already sent it. */
  readonly isRepeat: boolean;
}

interface Source extends Omit<ExplanationFacts, "pendingError"> {
  readonly id: string;
  readonly threadId: string;
  readonly channelId: string;
  readonly content: Readonly<Record<string, unknown>>;
}

/**
 * "Send again": creates a new message with the content of one that failed, or that may not have arrived. Checks all
 * rules again. The old message stays unchanged.
 * @throws WaypostError `message_not_found`, `message_not_resendable` (naming `acceptRisk` if that is missing), and the
 * errors of sending.
 */
export async function resendMessage(args: {
  ctx: Context;
  input: z.output<typeof resendMessageInput>;
}): Promise<SentByHand> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "messages.send");
  const source = await readSource(ctx, input.messageId);
  const clientMessageId = `resend:${input.idempotencyToken.toLowerCase()}`;
  const earlier = await sentByToken(ctx, source.id, clientMessageId);
  if (earlier) return { ...earlier, isRepeat: true };
  requireResendable(source, explainMessage({ ...source, pendingError: null, resends: [] }), input.acceptRisk);
  const sent = await sendMarked({
    ctx,
    input: copyOf(source, clientMessageId),
    marks: {
      resendOf: source.id,
      alsoInTransaction: async (tx, messageId) => {
        if (!input.acceptRisk) await requireNotSentAgain(tx, ctx, source.id, messageId);
        await recordAuditBySql(tx, ctx, {
          action: "message.resent",
          subjectKind: "message",
          subjectId: messageId,
          detail: { resendOf: source.id, errorCode: source.errorCode, acceptRisk: input.acceptRisk },
        });
      },
    },
  });
  return { messageId: sent.message_id, threadId: sent.thread_id, isRepeat: sent.deduplicated };
}

async function readSource({ services, actor }: Context, id: string): Promise<Source> {
  const rows = isUuid(id)
    ? await services.sql<Source[]>`
        select m.id, m.conversation_id as "threadId",
          m.channel_id as "channelId", m.content, m.state, m.error_code as "errorCode",
          m.error_detail as "errorDetail", m.failed_at as "failedAt",
          m.erased_at is not null as "isErased",
          case when m.in_doubt_since is not null and m.state = 'queued' then 'confirmation' end as "pendingReason",
          null as "pauseReason"
        from messages m
        where m.id = ${id} and m.organization_id = ${actor.organizationId} and m.kind = 'outbound'`
    : [];
  const [source] = rows;
  if (!source) throw new WaypostError("message_not_found", { field: "messageId" });
  return source;
}

/** Finds the message that the same token sent before, whatever the old message's state is now. */
async function sentByToken({ services, actor }: Context, sourceId: string, clientMessageId: string) {
  const [earlier] = await services.sql<Omit<SentByHand, "isRepeat">[]>`
    select id as "messageId", conversation_id as "threadId" from messages
    where client_message_id = ${clientMessageId} and organization_id = ${actor.organizationId}
      and resend_of = ${sourceId}`;
  return earlier;
}

/**
 * Prevents two people from both sending the same message again: the lock lets the second see the first one's action. A
 * resend that failed doesn't count, but its own resends do.
 */
async function requireNotSentAgain(tx: TransactionSql, { actor }: Context, sourceId: string, ownId: string) {
  const { organizationId } = actor;
  await tx`
    select 1 from messages where id = ${sourceId} and organization_id = ${organizationId} for no key update`;
  const [other] = await tx`
    with recursive made as (
      select m.id, m.state from messages m
      where m.resend_of = ${sourceId} and m.organization_id = ${organizationId} and m.id <> ${ownId}
      union
      select m.id, m.state from made join messages m on m.resend_of = made.id and m.organization_id = ${organizationId})
    select 1 from made where state <> 'failed' limit 1`;
  if (other !== undefined) {
    throw new WaypostError("message_not_resendable", {
      field: "acceptRisk",
      message: "The message was already sent again. To send it once more, accept that it may arrive twice.",
    });
  }
}

function requireResendable(source: Source, explanation: Explanation, isRiskAccepted: boolean): void {
  const refuse = (message: string, options: { field?: string; resendAfter?: Date } = {}) =>
    new WaypostError("message_not_resendable", { field: "messageId", message, ...options });
  if (source.isErased) throw refuse("The content of the message was erased, so it can't be sent again.");
  if (explanation.resend === "not_needed")
    throw refuse("The message hasn't failed, so it can't be sent again.");
  if (!explanation.isResendable) throw refuse(`${explanation.whatHappened} ${explanation.whatToDo}`);
  const { resendAfter } = explanation;
  if (resendAfter !== null && resendAfter > wallClock.now()) {
    throw refuse(`The message would be refused again before ${resendAfter.toISOString()}.`, { resendAfter });
  }
  if (explanation.resend === "may_duplicate" && !isRiskAccepted) {
    throw refuse("The message may have arrived. To send it again, accept that it may arrive twice.", {
      field: "acceptRisk",
    });
  }
}

/** Copies the old message's content, to the same conversation. */
function copyOf({ content, threadId, channelId }: Source, clientMessageId: string): SendMessageInput {
  const { to: _, ...said } = content;
  const copy = { ...said, client_message_id: clientMessageId, thread_id: threadId, channel_id: channelId };
  const parsed = sendMessageInput.safeParse(copy);
  if (parsed.success) return parsed.data;
  // Content that Waypost itself once created, by rules that no longer exist.
  throw new WaypostError("message_not_resendable", { field: "messageId", cause: parsed.error });
}
