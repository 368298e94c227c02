import type { SendMessageInput } from "../model/send-request";

const message_id = "0198f0a4-5b5e-7c3a-9d1f-2f6f0a3c8e11";
const to = { kind: "whatsapp", handle: "4915112345678" } as const;

/** Bodies of the types that were added after files and templates. */
const TOUCH_EXAMPLES = {
  interactive: {
    summary: "A text with buttons, as a quote of an earlier message",
    value: {
      client_message_id: "order-4711-when",
      type: "interactive",
      to,
      reply_to: { message_id },
      interactive: {
        type: "buttons",
        body: "When shall we deliver?",
        footer: "You can change it later",
        buttons: [
          { id: "today", title: "Today" },
          { id: "tomorrow", title: "Tomorrow" },
        ],
      },
    },
  },
  reaction: {
    summary: "A reaction to a message",
    value: {
      client_message_id: "order-4711-thumb",
      type: "reaction",
      to,
      reaction: { message_id, emoji: "👍" },
    },
  },
  location: {
    summary: "A place on the map",
    value: {
      client_message_id: "order-4711-shop",
      type: "location",
      to,
      location: { latitude: 52.5163, longitude: 13.3777, name: "Our shop", address: "Pariser Platz, Berlin" },
    },
  },
  contacts: {
    summary: "A contact to save",
    value: {
      client_message_id: "order-4711-driver",
      type: "contacts",
      to,
      contacts: [{ name: "Ana Lopez", phones: ["+49 1511 2345678"], company: "Parcel Express" }],
    },
  },
} as const satisfies { [Type in "interactive" | "reaction" | "location" | "contacts"]: RequestExample<Type> };

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
  sticker: {
    summary: "A sticker",
    value: {
      client_message_id: "order-4711-sticker",
      type: "sticker",
      to,
      media: { url: "https://www.example.com/thanks.webp", mime_type: "image/webp" },
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
  ...TOUCH_EXAMPLES,
} as const satisfies { [Type in SendMessageInput["type"]]: RequestExample<Type> };

interface RequestExample<Type> {
  readonly summary: string;
  readonly value: SendMessageInput & { readonly type: Type };
}
