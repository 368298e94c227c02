import { HANDLE_PATTERN } from "./handles";

/** A message for the Cloud API, independent of its format. */
export type OutboundMessage =
  | { readonly type: "text"; readonly body: string }
  | MediaMessage
  | {
      readonly type: "template";
      readonly name: string;
      readonly language: string;
      /** The parameters, in the Cloud API's own format (built by template-components.ts). */
      readonly components: readonly unknown[];
    };

export interface MediaMessage {
  readonly type: "image" | "audio" | "video" | "document";
  /** The upstream's id of an upload, or a URL that it fetches itself. */
  readonly source: { readonly id: string } | { readonly link: string };
  readonly caption: string | null;
  readonly filename: string | null;
}

/**
 * Builds the body that marks a customer's message as read
 * (https://developers.facebook.com/docs/whatsapp/cloud-api/guides/mark-message-as-read).
 */
export function markBody(mark: { readonly messageId: string; readonly isTyping: boolean }) {
  return {
    messaging_product: "whatsapp",
    status: "read",
    message_id: mark.messageId,
    ...(mark.isTyping ? { typing_indicator: { type: "text" } } : {}),
  };
}

/**
 * Builds the body of the Cloud API's messages endpoint
 * (https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages).
 * @param call.to a number, or WhatsApp's id of a person.
 */
export function messageBody(call: {
  readonly to: string;
  readonly message: OutboundMessage;
  readonly callbackData: string;
}): Readonly<Record<string, unknown>> {
  const { to, message, callbackData } = call;
  return {
    messaging_product: "whatsapp",
    recipient_type: "individual",
    ...(HANDLE_PATTERN.test(to) ? { to } : { recipient: to }),
    type: message.type,
    [message.type]: contentOf(message),
    biz_opaque_callback_data: callbackData,
  };
}

function contentOf(message: OutboundMessage): Readonly<Record<string, unknown>> {
  switch (message.type) {
    case "text":
      return { body: message.body, preview_url: false };
    case "template": {
      const { name, language, components } = message;
      return { name, language: { code: language }, ...(components.length > 0 ? { components } : {}) };
    }
    case "image":
    case "audio":
    case "video":
    case "document":
      return {
        ...message.source,
        ...(message.caption === null ? {} : { caption: message.caption }),
        ...(message.filename === null ? {} : { filename: message.filename }),
      };
  }
}
