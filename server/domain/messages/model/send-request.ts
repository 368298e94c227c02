import { z } from "zod";
import { contentProblem, type ContentProblem, isGiven, MESSAGE_TYPES } from "./content-rules";
import { mediaContent, templateContent, textContent } from "./content-schemas";
import { destination } from "./destination-schema";
import { interactiveContent } from "./interactive-content";
import { limitedText } from "./limited-text";
import { contactsContent, locationContent, reactionContent, replyTo } from "./other-contents";

/** In Unicode code points. */
const CLIENT_MESSAGE_ID_LENGTH_MAX = 128;

const onlyWith = (types: string) => `Required with type ${types}, and refused with other types`;

/** The schema of the client's own message id. */
export const clientMessageId = (description: string) =>
  limitedText(CLIENT_MESSAGE_ID_LENGTH_MAX, description)
    .refine((id) => id !== "", { error: "must not be empty" })
    .meta({ minLength: 1 });

export const sendMessageShape = z.strictObject({
  client_message_id: clientMessageId(
    "Your own id of this message (idempotency key), unique in the organization. To retry safely, repeat the same " +
      "body with the same id.",
  ),
  type: z.enum(MESSAGE_TYPES),
  channel_id: z
    .guid()
    .nullish()
    .meta({
      description:
        "Id of the WhatsApp channel. Recommended. Without it, a message with `to` is sent from the channel of the " +
        "template that `template_submission_id` identifies, or else from the channel that the customer last wrote " +
        "to, or else from the default channel, or else from the first channel that the key may use",
    }),
  thread_id: z
    .guid()
    .nullish()
    .meta({ description: "Id of the conversation. Give either `thread_id` or `to`" }),
  to: destination.nullish().meta({
    description: "The customer, by phone number or by WhatsApp's id. Give either `thread_id` or `to`",
  }),
  reply_to: replyTo.nullish().meta({
    description:
      "The message that this one quotes. WhatsApp shows no quote with a template. Refused with type reaction, which " +
      "names its message itself",
  }),
  text: textContent.nullish().meta({
    description:
      "Required with type text. With an image, a video or a document it is the caption. Refused with all other types",
  }),
  media: mediaContent.nullish().meta({
    description: `${onlyWith("image, audio, video, document or sticker")}. Give \`storage_key\` or \`url\``,
  }),
  template: templateContent.nullish().meta({
    description:
      `${onlyWith("template")}. Give \`template_submission_id\`, or \`name\` and \`language\`. ` +
      "If you give all of them, they must match",
  }),
  interactive: interactiveContent.nullish().meta({ description: onlyWith("interactive") }),
  reaction: reactionContent.nullish().meta({ description: onlyWith("reaction") }),
  location: locationContent.nullish().meta({ description: onlyWith("location") }),
  contacts: contactsContent.nullish().meta({ description: onlyWith("contacts") }),
});

/** Body of POST /messages. Null is the same as absent. */
export const sendMessageInput = sendMessageShape.superRefine((body, issues) => {
  const problem = destinationProblem(body) ?? quoteProblem(body) ?? contentProblem(body);
  if (problem) issues.addIssue({ code: "custom", path: [...problem.path], message: problem.message });
});

function destinationProblem({ thread_id, to }: SendMessageInput): ContentProblem | null {
  const hasThread = (thread_id ?? null) !== null;
  const hasNumber = (to ?? null) !== null;
  if (hasThread !== hasNumber) return null;
  const message = hasThread ? "can't be given together with `thread_id`" : "is required, or `thread_id`";
  return { path: ["to"], message };
}

function quoteProblem({ type, reply_to }: SendMessageInput): ContentProblem | null {
  if (type !== "reaction" || !isGiven(reply_to)) return null;
  return { path: ["reply_to"], message: "can't be given with type reaction" };
}

export type SendMessageInput = z.infer<typeof sendMessageShape>;
