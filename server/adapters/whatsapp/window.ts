import { z } from "zod";
import { maybeText } from "./fields";

/**
 * Whether a message of each type opens the customer window. Types that aren't listed do. Meta: "When a WhatsApp user
 * messages you or calls you, a 24-hour timer called a customer service window starts"
 * (https://developers.facebook.com/documentation/business-messaging/whatsapp/messages/send-messages#customer-service-windows).
 * Meta says nothing about events that aren't separate messages. Waypost assumes that they don't open it: a message that
 * is accepted wrongly fails late, while a template reaches the customer immediately. No status opens it, whatever was
 * sent.
 */
const OPENS_WINDOW: Readonly<Record<string, boolean>> = {
  // Refers to an earlier message.
  reaction: false,
  edit: false,
  revoke: false,
  // WhatsApp's information about the customer: a new number, another identity.
  system: false,
  // The customer opened the chat for the first time. WhatsApp sends it so that the business can greet them in its own
  // words.
  request_welcome: true,
};

/**
 * The customer wrote in a way that the Cloud API doesn't pass on, according to Meta's first trigger of these types
 * (https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/unsupported).
 */
export const UNSUPPORTED_TYPES: readonly string[] = ["unsupported", "unknown", "ephemeral"];

/** Unsupported kinds that refer to an earlier message: an edit, a pin, a vote. */
const UNSUPPORTED_ABOUT_EARLIER: readonly string[] = ["edit", "pin", "poll_update"];

const unsupportedKind = z.object({ unsupported: z.object({ type: maybeText }) });

/** Returns true if the customer's message, in Meta's format, opens the customer window. */
export function opensWindow(type: string, entry: unknown): boolean {
  if (!UNSUPPORTED_TYPES.includes(type))
    return Object.hasOwn(OPENS_WINDOW, type) ? (OPENS_WINDOW[type] ?? true) : true;
  const kind = unsupportedKind.safeParse(entry).data?.unsupported.type;
  return kind === undefined || !UNSUPPORTED_ABOUT_EARLIER.includes(kind);
}
