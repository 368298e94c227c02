import { z } from "zod";
import { MEDIA_TYPES } from "@/server/adapters/whatsapp/media-types";
import { TEMPLATE_LANGUAGE } from "@/server/adapters/whatsapp/template-components";
import { isBlank } from "@/server/lib/text";
import { CAPTION_LENGTH_MAX, TEXT_LENGTH_MAX } from "./content-rules";
import { limitedText } from "./limited-text";

/** In Unicode code points. */
const FILENAME_LENGTH_MAX = 240;

export const textContent = z.strictObject({
  body: limitedText(
    TEXT_LENGTH_MAX,
    `Text that the customer reads. For type text: 1 to ${TEXT_LENGTH_MAX} characters, not blank. ` +
      `For an image, a video or a document: its caption, at most ${CAPTION_LENGTH_MAX} characters`,
  ),
});

export const mediaContent = z
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

export const templateContent = z
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

function mediaTypesInWords(): string {
  return Object.entries(MEDIA_TYPES)
    .map(([type, { mimeTypes }]) => `${type}: ${mimeTypes.join(", ")}.`)
    .join(" ");
}
