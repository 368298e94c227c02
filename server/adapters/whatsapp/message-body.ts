import { HANDLE_PATTERN } from "./handles";
import { type Interactive, interactiveBody } from "./interactive-body";

interface File {
  /** The upstream's id of an upload, or a URL that it fetches itself. */
  readonly source: { readonly id: string } | { readonly link: string };
  readonly caption: string | null;
  readonly filename: string | null;
}

interface Place {
  readonly latitude: number;
  readonly longitude: number;
  readonly name?: string | undefined;
  readonly address?: string | undefined;
}

interface Card {
  readonly name: string;
  readonly phones: readonly string[];
  readonly emails?: readonly string[] | undefined;
  readonly company?: string | undefined;
}

interface Contents {
  text: { readonly body: string };
  image: File;
  audio: File;
  video: File;
  document: File;
  sticker: File;
  template: {
    readonly name: string;
    readonly language: string;
    /** The parameters, in the Cloud API's own format (built by template-components.ts). */
    readonly components: readonly unknown[];
  };
  interactive: { readonly interactive: Interactive };
  /** An empty emoji takes the reaction back. */
  reaction: { readonly upstreamId: string; readonly emoji: string };
  location: { readonly location: Place };
  contacts: { readonly contacts: readonly Card[] };
}

/** A message for the Cloud API, independent of its format. */
export type OutboundMessage<T extends keyof Contents = keyof Contents> = {
  [Type in T]: { readonly type: Type } & Contents[Type];
}[T];

const file = ({ source, caption, filename }: File) => ({
  ...source,
  ...(caption === null ? {} : { caption }),
  ...(filename === null ? {} : { filename }),
});

/** The content of each type in the Cloud API's format. */
const FORMATS: { readonly [T in keyof Contents]: (message: Contents[T]) => unknown } = {
  text: ({ body }) => ({ body, preview_url: false }),
  image: file,
  audio: file,
  video: file,
  document: file,
  sticker: file,
  template: ({ name, language, components }) => ({
    name,
    language: { code: language },
    ...(components.length > 0 ? { components } : {}),
  }),
  interactive: ({ interactive }) => interactiveBody(interactive),
  reaction: ({ upstreamId, emoji }) => ({ message_id: upstreamId, emoji }),
  location: ({ location: { latitude, longitude, name, address } }) => ({
    latitude,
    longitude,
    ...(name ? { name } : {}),
    ...(address ? { address } : {}),
  }),
  contacts: ({ contacts }) =>
    contacts.map(({ name, phones, emails, company }) => ({
      // Meta requires a part of the name beside the whole one.
      name: { formatted_name: name, first_name: name },
      phones: phones.map((phone) => ({ phone })),
      ...(emails && emails.length > 0 ? { emails: emails.map((email) => ({ email })) } : {}),
      ...(company ? { org: { company } } : {}),
    })),
};

function contentOf<T extends keyof Contents>(message: OutboundMessage<T>): unknown {
  return FORMATS[message.type](message);
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
 * @param call.quotedId the upstream's id of the message that this one quotes.
 */
export function messageBody(call: {
  readonly to: string;
  readonly message: OutboundMessage;
  readonly quotedId: string | null;
  readonly callbackData: string;
}): Readonly<Record<string, unknown>> {
  const { to, message, quotedId, callbackData } = call;
  return {
    messaging_product: "whatsapp",
    recipient_type: "individual",
    ...(HANDLE_PATTERN.test(to) ? { to } : { recipient: to }),
    ...(quotedId === null ? {} : { context: { message_id: quotedId } }),
    type: message.type,
    [message.type]: contentOf(message),
    biz_opaque_callback_data: callbackData,
  };
}
