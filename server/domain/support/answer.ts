import { z } from "zod";
import { recordAuditBySql } from "@/server/core/audit/record";
import { requireMemberCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { validationError } from "@/server/core/input/parse-input";
import { sendMessageInput } from "@/server/domain/messages/model/send-request";
import { renameErrorFields } from "@/server/domain/messages/send/rename-error-fields";
import type { SentByHand } from "@/server/domain/messages/send/resend";
import { sendMarked } from "@/server/domain/messages/send/send";
import { isWaypostError } from "@/server/platform/errors";
import { requireConversation } from "./conversation";

const FILE_TYPES = ["image", "audio", "video", "document", "sticker"] as const;

export const answerInput = z.strictObject({
  threadId: z.string(),
  /** Created by the page with the form: repeated submits send one message. */
  idempotencyToken: z.guid(),
  content: z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("text"), body: z.string() }),
    z.strictObject({
      type: z.literal("template"),
      templateId: z.guid(),
      variables: z.record(z.string(), z.string()).default({}),
    }),
    z.strictObject({
      type: z.enum(FILE_TYPES),
      storageKey: z.string(),
      filename: z.string().optional(),
      caption: z.string().optional(),
    }),
    /** An empty emoji takes the reaction back. */
    z.strictObject({ type: z.literal("reaction"), messageId: z.guid(), emoji: z.string() }),
  ]),
  /** The message that the answer quotes. */
  replyTo: z.guid().optional(),
});

type AnswerInput = z.output<typeof answerInput>;

/**
 * A member's answer in a conversation, by the same rules as a message of the API. The conversation keeps its state and
 * its assignee.
 * @throws WaypostError `permission_denied` without `messages.send`; `thread_not_found`; otherwise as sending does, with
 * fields of this input.
 */
export async function answerConversation(args: { ctx: Context; input: AnswerInput }): Promise<SentByHand> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "messages.send");
  const { id: threadId } = await requireConversation(ctx, input.threadId);
  try {
    const sent = await sendMarked({
      ctx,
      input: parsed(bodyOf(input, threadId)),
      marks: {
        alsoInTransaction: (tx, messageId) =>
          recordAuditBySql(tx, ctx, {
            action: "message.answered",
            subjectKind: "message",
            subjectId: messageId,
            detail: { threadId, type: input.content.type },
          }),
      },
    });
    return { messageId: sent.message_id, threadId: sent.thread_id, isRepeat: sent.deduplicated };
  } catch (error) {
    throw isWaypostError(error) ? renameErrorFields(error, FIELDS) : error;
  }
}

/** By the rules of the public API. */
function parsed(body: object): z.output<typeof sendMessageInput> {
  const result = sendMessageInput.safeParse(body);
  if (result.success) return result.data;
  throw validationError(result.error, body);
}

function bodyOf({ idempotencyToken, content, replyTo }: AnswerInput, threadId: string): object {
  const common = {
    client_message_id: `answer:${idempotencyToken.toLowerCase()}`,
    thread_id: threadId,
    ...(replyTo === undefined ? {} : { reply_to: { message_id: replyTo } }),
  };
  return { ...common, ...contentOf(content) };
}

function contentOf(content: AnswerInput["content"]) {
  switch (content.type) {
    case "text":
      return { type: content.type, text: { body: content.body } };
    case "template": {
      const { type, templateId, variables } = content;
      return { type, template: { template_submission_id: templateId, variables } };
    }
    case "reaction": {
      const { type, messageId, emoji } = content;
      return { type, reaction: { message_id: messageId, emoji } };
    }
    case "image":
    case "audio":
    case "video":
    case "document":
    case "sticker": {
      const { type, storageKey, filename, caption } = content;
      const hasCaption = caption !== undefined && caption !== "";
      return {
        type,
        media: { storage_key: storageKey, ...(filename === undefined ? {} : { filename }) },
        ...(hasCaption ? { text: { body: caption } } : {}),
      };
    }
  }
}

/** Fields of the public API's body, with this input's corresponding fields. */
const FIELDS = [
  ["client_message_id", "idempotencyToken"],
  ["text.body", "content.body"],
  ["template.variables", "content.variables"],
  ["template", "content.templateId"],
  ["media.filename", "content.filename"],
  ["media", "content.storageKey"],
  ["reaction.emoji", "content.emoji"],
  ["reaction", "content.messageId"],
  ["reply_to", "replyTo"],
  ["thread_id", "threadId"],
] as const;
