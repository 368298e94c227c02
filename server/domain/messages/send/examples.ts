import type { SendMessageInput } from "../model/send-request";

const to = { kind: "whatsapp", handle: "4915112345678" } as const;

/** A body of POST /messages for each type, as in the OpenAPI document. */
export const SEND_MESSAGE_EXAMPLES = {
  text: {
    summary: "A text",
    value: { client_message_id: "order-4711-thanks", type: "text", to, text: { body: "Thank you!" } },
  },
  image: {
    summary: "An image with a caption",
    value: {
      client_message_id: "order-4711-photo",
      type: "image",
      to,
      text: { body: "Is this the one you mean?" },
      media: { url: "https://www.example.com/parcel.jpg", mime_type: "image/jpeg" },
    },
  },
  audio: {
    summary: "An audio",
    value: {
      client_message_id: "order-4711-voice",
      type: "audio",
      to,
      media: { url: "https://www.example.com/answer.mp3", mime_type: "audio/mpeg" },
    },
  },
  video: {
    summary: "A video",
    value: {
      client_message_id: "order-4711-clip",
      type: "video",
      to,
      media: { url: "https://www.example.com/unpacking.mp4", mime_type: "video/mp4" },
    },
  },
  document: {
    summary: "A document with a file name",
    value: {
      client_message_id: "order-4711-invoice",
      type: "document",
      to,
      media: {
        url: "https://www.example.com/4711.pdf",
        filename: "invoice-4711.pdf",
        mime_type: "application/pdf",
      },
    },
  },
  template: {
    summary: "A template by name and language",
    value: {
      client_message_id: "order-4711-shipped",
      type: "template",
      to,
      template: {
        name: "order_shipped",
        language: "en_US",
        variables: { "1": "Ana", "2": "4711" },
      },
    },
  },
} as const satisfies { [Type in SendMessageInput["type"]]: RequestExample<Type> };

interface RequestExample<Type> {
  readonly summary: string;
  readonly value: SendMessageInput & { readonly type: Type };
}
