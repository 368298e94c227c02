import type { InboundContent } from "@/server/adapters/whatsapp/inbound-content";
import type { MediaFacts } from "@/server/domain/customer-files/media-facts";
import type { Quote } from "./conversation-schemas";
import { MEDIA_KINDS, type ReceivedContent } from "./received-content-schemas";

/**
 * Returns a customer's content as reads and `message.received` show it: by its kind, independent of WhatsApp's name for
 * it.
 * @param known.quotedId the message that `quotedUpstreamId` names; null if it isn't known.
 * @param known.file the stored file of the message; null if there is none, or not yet.
 */
export function receivedContent(
  content: InboundContent,
  { quotedId, file }: { quotedId: string | null; file: MediaFacts | null },
): ReceivedContent {
  const { reply_to, forwarded, product, referral } = content;
  const shown = editOf(content) ?? newContent(content);
  return { ...withFile(withReacted(shown, quotedId), file), reply_to, forwarded, product, referral };
}

/** WhatsApp's id of the message that a customer's content quotes or reacts to; null if there is none. */
export function quotedUpstreamId({ reply_to, reaction }: InboundContent): string | null {
  return reaction?.upstream_id ?? reply_to?.upstream_id ?? null;
}

/** The message that a customer's content quotes, by both ids; null if it quotes none. */
export function quoteOf(content: InboundContent, quotedId: string | null): Quote | null {
  const upstreamId = content.reply_to?.upstream_id;
  if (upstreamId === undefined) return null;
  return {
    message_id: upstreamId === quotedUpstreamId(content) ? quotedId : null,
    upstream_id: upstreamId,
  };
}

function withReacted(content: ReceivedContent, quotedId: string | null): ReceivedContent {
  if (content.type !== "reaction") return content;
  const { upstream_id, emoji } = content.reaction;
  return { ...content, reaction: { message_id: quotedId, upstream_id, emoji } };
}

function withFile(content: ReceivedContent, file: MediaFacts | null): ReceivedContent {
  if (file === null || !("media" in content)) return content;
  return { ...content, media: { ...content.media, ...file } };
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
    return media && kind ? { type: kind, media: { ...media, size: null } } : null;
  },
  ({ location }) => (location ? { type: "location", location } : null),
  ({ contacts }) => (contacts ? { type: "contacts", contacts } : null),
  ({ reply }) => (reply ? { type: "reply", reply } : null),
  ({ order }) => (order ? { type: "order", order } : null),
  ({ reaction }) => (reaction ? { type: "reaction", reaction: { message_id: null, ...reaction } } : null),
  ({ revokes }) => (revokes ? { type: "revoke", revokes } : null),
  ({ event }) => (event ? { type: "event", event } : null),
  ({ unsupported }) => (unsupported ? { type: "unsupported", unsupported } : null),
  ({ type }) => (type === "call" ? { type: "call" } : null),
];
