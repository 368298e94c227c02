import { z } from "zod";
import { maybeText } from "./fields";

/**
 * Whether a message of each type opens the customer window; a type that isn't here does. Meta: "When a WhatsApp user
 * messages you or calls you, a 24-hour timer called a customer service window starts"
 * (https://developers.facebook.com/documentation/business-messaging/whatsapp/messages/send-messages#customer-service-windows).
 * Of what isn't a message of its own it says nothing: that is taken not to open it, since a message that was accepted
 * for nothing fails late, while a template reaches the customer at once. No status opens it, whatever was sent.
 */
const OPENS_WINDOW: Readonly<Record<string, boolean>> = {
  // About an earlier message.
  reaction: false,
  edit: false,
  revoke: false,
  // What WhatsApp tells of the customer: a new number, another identity.
  system: false,
  // The customer opened the chat for the first time; it is sent for the business to greet them in its own words.
  request_welcome: true,
};

/**
 * The customer wrote, in a way that the Cloud API doesn't pass on, as Meta's first trigger of these types says
 * (https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/unsupported).
 */
export const UNSUPPORTED_TYPES: readonly string[] = ["unsupported", "unknown", "ephemeral"];

/** Unsupported kinds that are about an earlier message: an edit, a pin, a vote. */
const UNSUPPORTED_ABOUT_EARLIER: readonly string[] = ["edit", "pin", "poll_update"];

const unsupportedKind = z.object({ unsupported: z.object({ type: maybeText }) });

/** Whether a message of the customer, in Meta's shape, opens the customer window. */
export function opensWindow(type: string, entry: unknown): boolean {
  if (!UNSUPPORTED_TYPES.includes(type))
    return Object.hasOwn(OPENS_WINDOW, type) ? (OPENS_WINDOW[type] ?? true) : true;
  const kind = unsupportedKind.safeParse(entry).data?.unsupported.type;
  return kind === undefined || !UNSUPPORTED_ABOUT_EARLIER.includes(kind);
}
