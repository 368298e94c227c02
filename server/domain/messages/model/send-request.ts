import { z } from "zod";
import { HANDLE_PATTERN } from "@/server/adapters/whatsapp/handles";
import { MEDIA_TYPES } from "@/server/adapters/whatsapp/media-types";
import { TEMPLATE_LANGUAGE } from "@/server/adapters/whatsapp/template-components";
import { codePoints, isBlank } from "@/server/lib/text";
import {
  CAPTION_LENGTH_MAX,
  CONTENT_RULES,
  contentProblem,
  type ContentProblem,
  type ContentRules,
  MESSAGE_TYPES,
  type MessageType,
  TEXT_LENGTH_MAX,
} from "./content-rules";

function limitedText(max: number, description: string) {
  return z
    .string()
    .refine((text) => codePoints(text) <= max, { error: `must have at most ${max} characters` })
    .meta({ description, maxLength: max });
}

/** In Unicode code points. */
const CLIENT_MESSAGE_ID_LENGTH_MAX = 128;
const FILENAME_LENGTH_MAX = 240;

const destination = z
  .strictObject({
    kind: z.literal("whatsapp"),
    handle: z
      .string()
      .regex(HANDLE_PATTERN)
      .meta({
        description: "Number in E.164 format without the leading plus sign",
        examples: ["4915112345678"],
      }),
  })
  .meta({ id: "DestinationTo", description: "Phone number of a customer" });

const textContent = z.strictObject({
  body: limitedText(
    TEXT_LENGTH_MAX,
    `Text that the customer reads. For type text: 1 to ${TEXT_LENGTH_MAX} characters, not blank. ` +
      `For an image, a video or a document: its caption, at most ${CAPTION_LENGTH_MAX} characters`,
  ),
});

const mediaContent = z
  .strictObject({
    storage_key: z.string().nullish().meta({
      description:
        "Preferred: the `storage_key` that `POST /uploads` returned. If `url` is given as well, this file is sent",
    }),
    url: z
      .string()
      .nullish()
      .meta({
        format: "uri",
        description:
          "Public https URL, without credentials, from which WhatsApp downloads the file. Without `mime_type`, a path " +
          "that ends in the extension of another file type is refused",
      }),
    filename: limitedText(
      FILENAME_LENGTH_MAX,
      "File name that the customer sees for a document. Other types show none",
    )
      .refine((name) => !isBlank(name), { error: "must not be blank" })
      .meta({ minLength: 1 })
      .nullish(),
    mime_type: z
      .string()
      .nullish()
      .meta({
        description: `Media type of the file at \`url\`. An upload has its own media type. It must be one that WhatsApp accepts for the message's type. ${mediaTypesInWords()}`,
      }),
  })
  .meta({ id: "MediaObject", description: "A file to send. Give `storage_key` or `url`" });

const templateValue = z
  .string()
  .refine((value) => !isBlank(value), { error: "must not be blank" })
  .refine((value) => !/[\n\v\f\r\u0085\u2028\u2029]/.test(value), { error: "must not contain a line break" })
  .refine((value) => !value.includes("\t"), { error: "must not contain a tab" })
  .refine((value) => !value.includes(" ".repeat(5)), {
    error: "must not contain more than four spaces in a row",
  })
  .meta({ minLength: 1 });

const templateContent = z
  .strictObject({
    template_submission_id: z
      .guid()
      .nullish()
      .meta({ description: "Preferred: the id that `GET /templates` returns" }),
    name: z.string().nullish().meta({
      description:
        "Name of the template. Use it together with `language`, if you don't give `template_submission_id`",
    }),
    language: z
      .string()
      .regex(TEMPLATE_LANGUAGE, "must be a language such as en, fil or en_US")
      .nullish()
      .meta({ description: "Language of the template, for example `en_US`", examples: ["en_US"] }),
    variables: z
      .record(z.string(), templateValue.nullish())
      .nullish()
      .meta({
        description:
          "A value for each variable of the template, by its name, for example `1`. No other names are allowed. " +
          "WhatsApp accepts no value that is empty or blank, or that contains a line break, a tab or more than four " +
          "spaces in a row",
        examples: [{ "1": "Ana" }],
      }),
  })
  .meta({
    id: "TemplateObject",
    description: "A template and its values. Give `template_submission_id`, or `name` and `language`",
  });

const onlyWith = (types: string) => `Required with type ${types}, and refused with other types`;

/** The schema of the client's own message id. */
export const clientMessageId = (description: string) =>
  limitedText(CLIENT_MESSAGE_ID_LENGTH_MAX, description)
    .refine((id) => id !== "", { error: "must not be empty" })
    .meta({ minLength: 1 });

const sendMessageShape = z.strictObject({
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
  to: destination
    .nullish()
    .meta({ description: "Phone number of the customer. Give either `thread_id` or `to`" }),
  text: textContent.nullish().meta({
    description:
      "Required with type text. With an image, a video or a document it is the caption. Refused with types audio " +
      "and template",
  }),
  media: mediaContent.nullish().meta({
    description: `${onlyWith("image, audio, video or document")}. Give \`storage_key\` or \`url\``,
  }),
  template: templateContent.nullish().meta({
    description:
      `${onlyWith("template")}. Give \`template_submission_id\`, or \`name\` and \`language\`. ` +
      "If you give all of them, they must match",
  }),
});

/** Body of POST /messages. Null is the same as absent. */
export const sendMessageInput = sendMessageShape.superRefine((body, issues) => {
  const problem = destinationProblem(body) ?? contentProblem(body);
  if (problem) issues.addIssue({ code: "custom", path: [...problem.path], message: problem.message });
});

function destinationProblem({ thread_id, to }: SendMessageInput): ContentProblem | null {
  const hasThread = (thread_id ?? null) !== null;
  const hasNumber = (to ?? null) !== null;
  if (hasThread !== hasNumber) return null;
  const message = hasThread ? "can't be given together with `thread_id`" : "is required, or `thread_id`";
  return { path: ["to"], message };
}

function mediaTypesInWords(): string {
  return Object.entries(MEDIA_TYPES)
    .map(([type, { mimeTypes }]) => `${type}: ${mimeTypes.join(", ")}.`)
    .join(" ");
}

export type SendMessageInput = z.infer<typeof sendMessageShape>;

/** Names of the objects in the OpenAPI document, one for each type. */
const COMPONENTS: Readonly<Record<MessageType, string>> = {
  text: "SendTextMessage",
  image: "SendImageMessage",
  audio: "SendAudioMessage",
  video: "SendVideoMessage",
  document: "SendDocumentMessage",
  template: "SendTemplateMessage",
};

/** As the content of a type that requires it. */
const CONTENTS = {
  text: z
    .strictObject({
      body: limitedText(TEXT_LENGTH_MAX, "Text that the customer reads. Not blank").meta({ minLength: 1 }),
    })
    .meta({ id: "TextObject", description: "The text of a message" }),
  media: mediaContent,
  template: templateContent,
} as const;

const caption = z
  .strictObject({ body: limitedText(CAPTION_LENGTH_MAX, "Caption below the file") })
  .meta({ id: "CaptionObject", description: "The caption of an image, a video or a document" })
  .nullish();

/** An object with the fields that messages of a type have. */
function requestOf(type: MessageType) {
  const { client_message_id, channel_id, thread_id, to } = sendMessageShape.shape;
  const rules: ContentRules = CONTENT_RULES[type];
  const field = (name: keyof typeof CONTENTS) => {
    if (rules[name] === "refused") return {};
    if (rules[name] === "required") return { [name]: CONTENTS[name] };
    return { [name]: name === "text" ? caption : sendMessageShape.shape[name] };
  };
  return z
    .strictObject({
      client_message_id,
      type: z.literal(type),
      channel_id,
      thread_id,
      to,
      ...field("text"),
      ...field("media"),
      ...field("template"),
    })
    .meta({ id: COMPONENTS[type] });
}

const REQUESTS = [
  requestOf("text"),
  requestOf("image"),
  requestOf("audio"),
  requestOf("video"),
  requestOf("document"),
  requestOf("template"),
] as const;

const mapping = MESSAGE_TYPES.map((type) => [type, `#/components/schemas/${COMPONENTS[type]}`] as const);

/**
 * The same body, as the OpenAPI document describes it: `type` selects an object with the fields of that type. What it
 * accepts, `sendMessageInput` accepts too, if `thread_id` or `to` is given and the content is complete.
 */
export const sendMessageRequest = z.discriminatedUnion("type", REQUESTS).meta({
  description: "`type` determines the other fields. Give either `thread_id` or `to`",
  discriminator: { propertyName: "type", mapping: Object.fromEntries(mapping) },
});
