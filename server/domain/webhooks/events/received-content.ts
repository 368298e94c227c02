import type { InboundContent } from "@/server/adapters/whatsapp/inbound-content";
import { MEDIA_KINDS, type ReceivedContent } from "./received-content-schemas";

/**
 * Returns a customer's content as `message.received` reports it: by its kind, independent of WhatsApp's name for it.
 */
export function receivedContent(content: InboundContent): ReceivedContent {
  const { reply_to, forwarded, product, referral } = content;
  return { ...(editOf(content) ?? newContent(content)), reply_to, forwarded, product, referral };
}

type NewContent = Exclude<ReceivedContent, { type: "edit" }>;

function editOf({ edits }: InboundContent): ReceivedContent | null {
  if (edits === undefined) return null;
  const { upstream_id, content } = edits;
  return { type: "edit", edits: { upstream_id, content: content && newContent(content) } };
}

function newContent(content: InboundContent): NewContent {
  for (const shape of SHAPES) {
    const found = shape(content);
    if (found !== null) return found;
  }
  return { type: "unknown", detail: content.detail };
}

/** A form is checked before a text, because it can contain one. */
const SHAPES: readonly ((content: InboundContent) => NewContent | null)[] = [
  ({ form, text }) => (form ? { type: "form", form, text } : null),
  ({ text }) => (text ? { type: "text", text } : null),
  ({ type, media }) => {
    const kind = MEDIA_KINDS.find((one) => one === type);
    return media && kind ? { type: kind, media } : null;
  },
  ({ location }) => (location ? { type: "location", location } : null),
  ({ contacts }) => (contacts ? { type: "contacts", contacts } : null),
  ({ reply }) => (reply ? { type: "reply", reply } : null),
  ({ order }) => (order ? { type: "order", order } : null),
  ({ reaction }) => (reaction ? { type: "reaction", reaction } : null),
  ({ revokes }) => (revokes ? { type: "revoke", revokes } : null),
  ({ event }) => (event ? { type: "event", event } : null),
  ({ unsupported }) => (unsupported ? { type: "unsupported", unsupported } : null),
  ({ type }) => (type === "call" ? { type: "call" } : null),
];
