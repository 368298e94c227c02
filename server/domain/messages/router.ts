import {
  messageMediaInput,
  messageMediaOutput,
  openMessageFile,
} from "@/server/domain/customer-files/open-file";
import { procedure } from "@/server/core/procedure";
import { type ProcedureMeta, t } from "@/server/core/trpc";
import { listFailures } from "./read/failures";
import { SEND_MESSAGE_EXAMPLES } from "./send/examples";
import { getMessage } from "./read/get";
import { inspectMessage, inspectMessageInput } from "./read/inspect";
import { listMessages, messagePage } from "./read/list";
import { listMessagesInput } from "./read/list-filter";
import { precheckSend } from "./send/precheck";
import { resendMessage, resendMessageInput } from "./send/resend";
import { getMessageInput, messageOutput, sendMessageOutput } from "./model/schemas";
import { sendMessageInput } from "./model/send-request";
import { sendMessageRequest } from "./model/send-request-document";
import { countMessages, countMessagesInput, searchMessages, searchMessagesInput } from "./read/search";
import { sendMessage } from "./send/send";
import { MARK_READ_EXAMPLES, markRead, markReadInput, markReadOutput } from "./marks/mark-read";
import { sendTestInput, sendTestMessage } from "./send/send-test";

/** The errors of sending a message, for any sender. */
export const SEND_ERRORS = [
  "invalid_whatsapp_number",
  "recipient_unreachable",
  "recipient_opted_out",
  "channel_forbidden",
  "thread_not_found",
  "identity_conflict",
  "template_not_approved",
  "template_variables_mismatch",
  "invalid_media",
  "media_url_forbidden",
  "idempotency_key_reused",
  "outside_customer_window",
] as const satisfies ProcedureMeta["errors"];

/** For members only: none of these is a route of the public API. */
const forMembers = (capability: "messages.read" | "messages.send", errors: ProcedureMeta["errors"]) =>
  procedure({ capability, bucket: null, status: 200, statuses: [200], errors });

export const messagesRouter = t.router({
  send: procedure(
    {
      openapi: {
        method: "POST",
        path: "/messages",
        operationId: "sendMessage",
        summary: "Send a message",
        description:
          "Accepts a message and queues it. To retry safely, repeat the same body with the same " +
          "`client_message_id`: the response is 200 with the current state of the message, and nothing is sent " +
          "twice.",
        tags: ["Messages"],
        bucket: "send",
        body: sendMessageRequest,
        examples: SEND_MESSAGE_EXAMPLES,
      },
      capability: "messages.send",
      furtherScopes: [
        { scope: "contacts:read", needed: "with `to`" },
        { scope: "contacts:write", needed: "with `to` if the number is new" },
        { scope: "templates:read", needed: "for a template" },
      ],
      bucket: null,
      status: (output) => (isDeduplicated(output) ? 200 : 201),
      statuses: [201, 200],
      errors: ["client_message_id_required", ...SEND_ERRORS, "rate_limited"],
    },
    precheckSend,
  )
    .input(sendMessageInput)
    .output(sendMessageOutput)
    .mutation(sendMessage),

  get: procedure({
    openapi: {
      method: "GET",
      path: "/messages/{id}",
      operationId: "getMessage",
      summary: "Get a message and its delivery status",
      tags: ["Messages"],
    },
    capability: "messages.read",
    bucket: "read",
    isCheap: true,
    status: 200,
    statuses: [200],
    errors: ["message_not_found", "rate_limited"],
  })
    .input(getMessageInput)
    .output(messageOutput)
    .query(getMessage),

  markRead: procedure({
    openapi: {
      method: "POST",
      path: "/messages/{id}/read",
      operationId: "markMessageRead",
      summary: "Mark an inbound message as read",
      description:
        "Marks the message, and those before it in the thread, as read: the customer sees blue ticks. With `typing`, " +
        "the customer also sees that an answer is being written. The response means that Waypost has stored the mark. " +
        "It is handed to WhatsApp within moments, and retried for 24 hours, independent of the messages that wait. The " +
        "typing indicator is left out if WhatsApp can't be told within 25 seconds. A mark never goes back: marking an " +
        "earlier message of the thread changes nothing. You can repeat the request. A message older than 30 days can't " +
        "be marked.",
      tags: ["Messages"],
      takesNoBody: true,
      examples: MARK_READ_EXAMPLES,
    },
    capability: "messages.send",
    bucket: "read",
    status: 202,
    statuses: [202],
    errors: ["message_not_found", "message_not_inbound", "message_not_markable", "rate_limited"],
  })
    .input(markReadInput)
    .output(markReadOutput)
    .mutation(markRead),

  list: procedure({
    openapi: {
      method: "GET",
      path: "/messages",
      operationId: "listMessages",
      summary: "List messages and their delivery status, newest first",
      description:
        "A page can contain fewer messages than `limit`, even none, while `next_cursor` isn't null: if only few of " +
        "many messages match, each page searches a part of them.",
      tags: ["Messages"],
    },
    capability: "messages.read",
    bucket: "read",
    status: 200,
    statuses: [200],
    errors: ["channel_forbidden", "rate_limited"],
  })
    .input(listMessagesInput)
    .output(messagePage)
    .query(listMessages),

  media: procedure({
    openapi: {
      method: "GET",
      path: "/messages/{id}/media",
      operationId: "getMessageMedia",
      summary: "Download the file of an inbound message",
      description:
        "The response is the file itself: an image, audio, video, document or sticker that a customer sent. " +
        "`Content-Type` is the type of its bytes, or `application/octet-stream` for a type that Waypost doesn't know. " +
        "Waypost fetches a file from WhatsApp soon after its message. Until then the response is 404 with " +
        "`Retry-After`. The file is erased with its message.",
      tags: ["Messages"],
      givesFile: true,
    },
    capability: "messages.read",
    bucket: "read",
    status: 200,
    statuses: [200],
    errors: ["media_not_found", "media_gone", "rate_limited"],
  })
    .input(messageMediaInput)
    .output(messageMediaOutput)
    .query(async ({ ctx, input }) => {
      const { media, file } = await openMessageFile({ ctx, input });
      const { mime_type: mimeType, filename } = media;
      ctx.giveFile?.({ file, mimeType, filename, fallbackName: input.id });
      return media;
    }),

  search: forMembers("messages.read", ["channel_forbidden", "key_not_found"])
    .input(searchMessagesInput)
    .query(searchMessages),
  count: forMembers("messages.read", ["channel_forbidden", "key_not_found"])
    .input(countMessagesInput)
    .query(countMessages),
  inspect: forMembers("messages.read", ["message_not_found"])
    .input(inspectMessageInput)
    .query(inspectMessage),
  failures: forMembers("messages.read", []).query(listFailures),
  resend: forMembers("messages.send", ["message_not_found", "message_not_resendable", ...SEND_ERRORS])
    .input(resendMessageInput)
    .mutation(resendMessage),
  sendTest: forMembers("messages.send", SEND_ERRORS).input(sendTestInput).mutation(sendTestMessage),
});

function isDeduplicated(output: unknown): boolean {
  return (
    typeof output === "object" && output !== null && "deduplicated" in output && output.deduplicated === true
  );
}
