import { z } from "zod";
import { receivedContent } from "./received-content-schemas";

export const DIRECTIONS = ["outbound", "inbound"] as const;

export const direction = z.enum(DIRECTIONS).meta({
  id: "MessageDirection",
  description: "`outbound`: sent by your organization. `inbound`: written by a customer",
});

export const quote = z
  .object({
    message_id: z.guid().nullable().meta({ description: "Null if Waypost doesn't know the message" }),
    upstream_id: z.string().nullable().meta({
      description: "WhatsApp's id of the message. Null while the message has none, because it isn't sent yet",
    }),
  })
  .meta({ id: "Quote", description: "The message that another one quotes or replies to" });

export type Quote = z.infer<typeof quote>;

/** Fields of other types of messages are kept as they are. */
const sentContent = z
  .looseObject({
    text: z
      .looseObject({ body: z.string() })
      .optional()
      .meta({ description: "A text, or the caption of a file" }),
    media: z
      .looseObject({
        storage_key: z.string().optional(),
        url: z.string().optional(),
        filename: z.string().optional(),
        mime_type: z.string().optional(),
      })
      .optional(),
    template: z
      .looseObject({
        template_submission_id: z.string().optional(),
        name: z.string().optional(),
        language: z.string().optional(),
        variables: z.record(z.string(), z.string()).optional(),
      })
      .optional(),
  })
  .meta({
    id: "SentContent",
    description: "The content fields of the request, as it was sent. The `type` of the message selects them",
  });

export type SentContent = z.infer<typeof sentContent>;

/** A customer's content has a `type`, and what was sent has none. */
export const messageContent = z
  .union([receivedContent, sentContent])
  .nullable()
  .meta({
    description:
      "An outbound message: the fields `text`, `media`, `template` and so on of the request. An inbound message: what " +
      "the customer sent, by `content.type`. Null once the message is erased",
  });
