import { z } from "zod";
import { recordAuditBySql } from "@/server/core/audit/record";
import { requireMemberCapability } from "@/server/core/capabilities";
import { handleSpelled } from "@/server/domain/contacts/number-search";
import type { Context } from "@/server/core/context";
import { isWaypostError, WaypostError } from "@/server/platform/errors";
import { parseInput } from "@/server/core/input/parse-input";
import { renameErrorFields } from "./rename-error-fields";
import type { SentByHand } from "./resend";
import { type SendMessageInput, sendMessageInput } from "../model/send-request";
import { sendMarked } from "./send";

/** Maximum length of a number with separators. */
const NUMBER_LENGTH_MAX = 40;

export const sendTestInput = z.strictObject({
  /** Created by the page when it shows the form: repeated submits send one message. */
  idempotencyToken: z.guid(),
  channelId: z.guid(),
  /** With its country code; `+`, `00` and separators are removed. */
  number: z.string().max(NUMBER_LENGTH_MAX, `must have at most ${NUMBER_LENGTH_MAX} characters`),
  content: z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("text"), body: z.string() }),
    z.strictObject({
      type: z.literal("template"),
      templateId: z.guid(),
      variables: z.record(z.string(), z.string()).default({}),
    }),
  ]),
});

type SendTestInput = z.output<typeof sendTestInput>;

/**
 * "Send a test message": sends a text or a template from a member to a number, by the same rules as any other message.
 * @throws WaypostError as sending does; its field is one of this input.
 */
export async function sendTestMessage(args: { ctx: Context; input: SendTestInput }): Promise<SentByHand> {
  const { ctx, input } = args;
  requireMemberCapability(ctx.actor, "messages.send");
  try {
    return await send(ctx, input);
  } catch (error) {
    throw isWaypostError(error) ? renameErrorFields(error, FIELDS) : error;
  }
}

async function send(ctx: Context, input: SendTestInput): Promise<SentByHand> {
  const sent = await sendMarked({
    ctx,
    input: parseInput(sendMessageInput, bodyOf(input)),
    marks: {
      alsoInTransaction: (tx, messageId) =>
        recordAuditBySql(tx, ctx, {
          action: "message.test_sent",
          subjectKind: "message",
          subjectId: messageId,
          detail: { channelId: input.channelId.toLowerCase(), type: input.content.type },
        }),
    },
  });
  return { messageId: sent.message_id, threadId: sent.thread_id, isRepeat: sent.deduplicated };
}

function bodyOf({ idempotencyToken, channelId, number, content }: SendTestInput): SendMessageInput {
  const handle = handleSpelled(number);
  if (handle === null)
    throw new WaypostError("invalid_whatsapp_number", { field: "to.handle", message: NUMBER_RULE });
  return {
    client_message_id: `test:${idempotencyToken.toLowerCase()}`,
    channel_id: channelId,
    to: { kind: "whatsapp", handle },
    ...(content.type === "text"
      ? { type: "text", text: { body: content.body } }
      : {
          type: "template",
          template: { template_submission_id: content.templateId, variables: content.variables },
        }),
  };
}

const NUMBER_RULE = "Write the number with its country code, such as +49 151 12345678.";

/** Fields of the public API's body, with the form's corresponding fields. */
const FIELDS = [
  ["to.handle", "number"],
  ["channel_id", "channelId"],
  ["text.body", "content.body"],
  ["template.variables", "content.variables"],
  ["template", "content.templateId"],
] as const;
