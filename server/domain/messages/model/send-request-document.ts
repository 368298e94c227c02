import { z } from "zod";
import {
  CAPTION_LENGTH_MAX,
  CONTENT_FIELDS,
  CONTENT_RULES,
  type ContentField,
  type ContentRules,
  MESSAGE_TYPES,
  type MessageType,
  TEXT_LENGTH_MAX,
} from "./content-rules";
import { mediaContent, templateContent } from "./content-schemas";
import { interactiveContent } from "./interactive-content";
import { limitedText } from "./limited-text";
import { contactsContent, locationContent, reactionContent } from "./other-contents";
import { sendMessageShape } from "./send-request";

/** Names of the objects in the OpenAPI document, one for each type. */
const COMPONENTS = {
  text: "SendTextMessage",
  image: "SendImageMessage",
  audio: "SendAudioMessage",
  video: "SendVideoMessage",
  document: "SendDocumentMessage",
  sticker: "SendStickerMessage",
  template: "SendTemplateMessage",
  interactive: "SendInteractiveMessage",
  reaction: "SendReactionMessage",
  location: "SendLocationMessage",
  contacts: "SendContactsMessage",
} as const satisfies Record<MessageType, string>;

/** Each field as the content of a type that requires it. */
const CONTENTS: Readonly<Record<ContentField, z.ZodType>> = {
  text: z
    .strictObject({
      body: limitedText(TEXT_LENGTH_MAX, "Text that the customer reads. Not blank").meta({ minLength: 1 }),
    })
    .meta({ id: "TextObject", description: "The text of a message" }),
  media: mediaContent,
  template: templateContent,
  interactive: interactiveContent,
  reaction: reactionContent,
  location: locationContent,
  contacts: contactsContent,
};

const caption = z
  .strictObject({ body: limitedText(CAPTION_LENGTH_MAX, "Caption below the file") })
  .meta({ id: "CaptionObject", description: "The caption of an image, a video or a document" })
  .nullish();

/** Returns an object with the fields that messages of a type have. */
function requestOf<T extends MessageType>(type: T) {
  const { client_message_id, channel_id, thread_id, to, reply_to } = sendMessageShape.shape;
  const rules: ContentRules = CONTENT_RULES[type];
  const contents = CONTENT_FIELDS.flatMap((field) => {
    if (rules[field] === undefined) return [];
    if (rules[field] === "required") return [[field, CONTENTS[field]] as const];
    return [[field, field === "text" ? caption : sendMessageShape.shape[field]] as const];
  });
  const common = { client_message_id, type: z.literal(type), channel_id, thread_id, to };
  const quote = type === "reaction" ? {} : { reply_to };
  return z
    .strictObject({ ...common, ...quote, ...Object.fromEntries(contents) })
    .meta({ id: COMPONENTS[type] });
}

const [first, ...others] = MESSAGE_TYPES;

const mapping = MESSAGE_TYPES.map((type) => [type, `#/components/schemas/${COMPONENTS[type]}`] as const);

/**
 * The same body, as the OpenAPI document describes it: `type` selects an object with the fields of that type. What it
 * accepts, `sendMessageInput` accepts too, if `thread_id` or `to` is given and the content is complete.
 */
export const sendMessageRequest = z
  .discriminatedUnion("type", [requestOf(first), ...others.map(requestOf)])
  .meta({
    description: "`type` determines the other fields. Give either `thread_id` or `to`",
    discriminator: { propertyName: "type", mapping: Object.fromEntries(mapping) },
  });
