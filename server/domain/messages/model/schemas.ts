import { z } from "zod";
import { DELIVERY_STATES } from "@/db/schema";
import { HANDLE_PATTERN } from "@/server/adapters/whatsapp/handles";
import { ERRORS, FAILURE_CODES } from "@/server/platform/errors";
import { codePoints, isBlank } from "@/server/lib/text";
import { MEDIA_TYPES } from "@/server/adapters/whatsapp/media-types";
import { TEMPLATE_LANGUAGE } from "@/server/adapters/whatsapp/template-language";
import {
  CAPTION_LENGTH_MAX,
  contentProblem,
  type ContentProblem,
  MESSAGE_TYPES,
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

const destination = z.strictObject({
  kind: z.literal("whatsapp"),
  handle: z
    .string()
    .regex(HANDLE_PATTERN)
    .meta({ description: "E.164 number without the leading plus sign" }),
});

const textContent = z.strictObject({
  body: limitedText(
    TEXT_LENGTH_MAX,
    `What the customer reads: of type text 1 to ${TEXT_LENGTH_MAX} characters, not blank; ` +
      `with an image, a video or a document its caption, at most ${CAPTION_LENGTH_MAX}`,
  ),
});

const mediaContent = z.strictObject({
  storage_key: z.string().nullish().meta({
    description: "Preferred: what `POST /uploads` answered. It is sent where `url` is given as well",
  }),
  url: z
    .string()
    .nullish()
    .meta({
      format: "uri",
      description:
        "Public https address, without credentials, from which WhatsApp fetches the file. Without `mime_type`, a path " +
        "that ends in the extension of another type of file is refused",
    }),
  filename: limitedText(
    FILENAME_LENGTH_MAX,
    "What the customer sees as the name of a document; other types show none",
  )
    .refine((name) => !isBlank(name), { error: "must not be blank" })
    .meta({ minLength: 1 })
    .nullish(),
  mime_type: z
    .string()
    .nullish()
    .meta({
      description: `Type of the file at \`url\`; an upload has its own. One that WhatsApp takes for the message's type. ${mediaTypesInWords()}`,
    }),
});

const templateValue = z
  .string()
  .refine((value) => !isBlank(value), { error: "must not be blank" })
  .refine((value) => !/[\n\v\f\r\u0085\u2028\u2029]/.test(value), { error: "must not contain a line break" })
  .refine((value) => !value.includes("\t"), { error: "must not contain a tab" })
  .refine((value) => !value.includes(" ".repeat(5)), {
    error: "must not contain more than four spaces in a row",
  })
  .meta({ minLength: 1 });

const templateContent = z.strictObject({
  template_submission_id: z
    .guid()
    .nullish()
    .meta({ description: "Preferred: the id that `GET /templates` shows" }),
  name: z.string().nullish().meta({ description: "With `language`, where there is no submission id" }),
  language: z
    .string()
    .regex(TEMPLATE_LANGUAGE, "must be a language such as en, fil or en_US")
    .nullish()
    .meta({ description: "Such as `en_US`", examples: ["en_US"] }),
  variables: z
    .record(z.string(), templateValue.nullish())
    .nullish()
    .meta({
      description:
        "A value for each of the template's variables, by its name, such as `1`; no others. WhatsApp takes no value that " +
        "is empty or blank, or that contains a line break, a tab or more than four spaces in a row",
      examples: [{ "1": "Ana" }],
    }),
});

const onlyWith = (types: string) => `Exactly with type ${types}`;

/** The id by which clients know their messages, wherever it is given. */
export const clientMessageId = (description: string) =>
  limitedText(CLIENT_MESSAGE_ID_LENGTH_MAX, description)
    .refine((id) => id !== "", { error: "must not be empty" })
    .meta({ minLength: 1 });

const sendMessageShape = z.strictObject({
  client_message_id: clientMessageId(
    "Your own id of this message, unique in the organization. Repeat the same body under it to retry safely.",
  ),
  type: z.enum(MESSAGE_TYPES),
  channel_id: z
    .guid()
    .nullish()
    .meta({
      description:
        "Public id of the WhatsApp channel; recommended. Without it, a message with `to` is sent from the channel of the " +
        "template that `template_submission_id` names, else from the one that the customer last wrote to, else from the " +
        "default one",
    }),
  thread_id: z
    .guid()
    .nullish()
    .meta({ description: "The conversation; exactly one of `thread_id` and `to`" }),
  to: destination.nullish().meta({ description: "The number; exactly one of `thread_id` and `to`" }),
  text: textContent.nullish().meta({
    description:
      "Required for type text; the caption of an image, a video or a document; refused with audio and template",
  }),
  media: mediaContent.nullish().meta({
    description: `${onlyWith("image, audio, video or document")}; \`storage_key\` or \`url\``,
  }),
  template: templateContent.nullish().meta({
    description:
      `${onlyWith("template")}: \`template_submission_id\`, or \`name\` and \`language\`; ` +
      "all that are given must agree",
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

export const sendMessageOutput = z
  .object({
    message_id: z.guid(),
    thread_id: z.guid(),
    contact_id: z.guid(),
    delivery_state: z.enum(DELIVERY_STATES),
    client_message_id: z.string(),
    deduplicated: z.literal([true, false]),
  })
  .meta({ id: "SendMessageResponse" });

export type SendMessageOutput = z.infer<typeof sendMessageOutput>;

export const getMessageInput = z.strictObject({ id: z.string().meta({ description: "The `message_id`" }) });

/** Why a message can be `failed`: generated, so that it names every code. */
const FAILURES = FAILURE_CODES.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join(" ");

/** A time in an answer. */
export const moment = z.iso.datetime().meta({ description: "RFC 3339, UTC" });

/** A message in an answer of the API: its ids, type, state, error and times, never its content. */
export const messageOutput = z
  .object({
    message_id: z.guid(),
    client_message_id: z.string().nullable(),
    thread_id: z.guid(),
    contact_id: z.guid(),
    channel_id: z.guid(),
    type: z.string(),
    delivery_state: z.enum(DELIVERY_STATES),
    error: z
      .object({
        code: z.string().meta({ description: FAILURES }),
        message: z.string(),
        resend: z.enum(["safe", "later", "never", "may_duplicate"]),
        resend_after: moment.nullable(),
        doc_url: z.url().nullable().meta({ description: "Where the code is explained" }),
        upstream: z
          .object({
            code: z.int().meta({ description: "WhatsApp's own code", examples: [131026] }),
            title: z
              .string()
              .nullable()
              .meta({
                description:
                  "WhatsApp's title of the code in its documentation; of a code that is new the one that it gave, or null",
                examples: ["Message undeliverable"],
              }),
          })
          .nullable()
          .meta({
            description:
              "What WhatsApp said, in the answer or the status that decided; null where Waypost's own rules did. For people " +
              "and support: programs act on `code`",
          }),
      })
      .nullable(),
    created_at: moment,
    sent_at: moment.nullable(),
    delivered_at: moment.nullable(),
    read_at: moment.nullable(),
    failed_at: moment.nullable(),
  })
  .meta({ id: "Message" });

export type MessageOutput = z.infer<typeof messageOutput>;
