import { z } from "zod";
import { DELIVERY_STATES } from "@/db/schema";
import { HANDLE_PATTERN } from "../contacts/canonical";
import { ERRORS, FAILURE_CODES } from "../errors";
import { isBlank } from "../text";

/** Length as the contract counts it: in Unicode code points, which is also how JSON Schema counts. */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function limitedText(max: number, description: string) {
  return z
    .string()
    .refine((text) => codePoints(text) <= max, { error: `must have at most ${max} characters` })
    .meta({ description, minLength: 1, maxLength: max });
}

const CLIENT_MESSAGE_ID_LENGTH_MAX = 128;
const TEXT_LENGTH_MAX = 4096;

const destination = z.strictObject({
  kind: z.literal("whatsapp"),
  handle: z
    .string()
    .regex(HANDLE_PATTERN)
    .meta({ description: "E.164 number without the leading plus sign" }),
});

const textContent = z.strictObject({
  body: limitedText(TEXT_LENGTH_MAX, "What the customer reads")
    .refine((text) => !isBlank(text), { error: "must not be blank" })
    .meta({ minLength: 1, maxLength: TEXT_LENGTH_MAX }),
});

/** Body of POST /messages (spec section 2, SendMessageRequest). Null is the same as absent. */
export const sendMessageInput = z
  .strictObject({
    client_message_id: limitedText(
      CLIENT_MESSAGE_ID_LENGTH_MAX,
      "Your own id of this message, unique in the organization. Repeat the same body under it to retry safely.",
    ),
    type: z.literal("text"),
    channel_id: z.guid().nullish().meta({ description: "Public id of the WhatsApp channel; recommended" }),
    thread_id: z
      .guid()
      .nullish()
      .meta({ description: "The conversation; exactly one of `thread_id` and `to`" }),
    to: destination.nullish().meta({ description: "The number; exactly one of `thread_id` and `to`" }),
    text: textContent.nullish().meta({ description: "Required for type text" }),
    media: z.null().optional().meta({ description: "This version sends text only: absent, or null" }),
    template: z.null().optional().meta({ description: "This version sends text only: absent, or null" }),
  })
  .superRefine((body, issues) => {
    const hasThread = (body.thread_id ?? null) !== null;
    const hasNumber = (body.to ?? null) !== null;
    if (hasThread === hasNumber) {
      const message = hasThread ? "can't be given together with `thread_id`" : "is required, or `thread_id`";
      issues.addIssue({ code: "custom", path: ["to"], message });
    }
    if ((body.text ?? null) === null)
      issues.addIssue({ code: "custom", path: ["text"], message: "is required" });
  });

export type SendMessageInput = z.infer<typeof sendMessageInput>;

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

const moment = z.iso.datetime().meta({ description: "RFC 3339, UTC" });

/** What the API tells of a message (design section 8). Never its content. */
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
