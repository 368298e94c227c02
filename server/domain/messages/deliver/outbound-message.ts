import { z } from "zod";
import type { OutboundMessage } from "@/server/adapters/whatsapp/message-body";
import { templateParameters } from "@/server/adapters/whatsapp/template-components";
import { isBlank } from "@/server/lib/text";
import type { MessageType } from "../model/content-rules";
import { interactiveContent } from "../model/interactive-content";
import type { OpenedAttempt } from "./open-attempts";

/** The parts of a stored message that its form for the upstream depends on. */
type Said = Pick<
  OpenedAttempt,
  "type" | "content" | "mediaId" | "mediaFilename" | "template" | "referencedUpstreamId"
>;

/** Stored content has no nulls, and passed the limits at acceptance. */
const textContent = z.object({ text: z.object({ body: z.string() }) });
const mediaContent = z.object({
  text: z.object({ body: z.string() }).optional(),
  media: z.object({ url: z.string().optional(), filename: z.string().optional() }),
});
const templateContent = z.object({
  template: z.object({ variables: z.record(z.string(), z.string()).optional() }),
});
const reactionContent = z.object({ reaction: z.object({ emoji: z.string() }) });
const locationContent = z.object({
  location: z.object({
    latitude: z.number(),
    longitude: z.number(),
    name: z.string().optional(),
    address: z.string().optional(),
  }),
});
const contactsContent = z.object({
  contacts: z.array(
    z.object({
      name: z.string(),
      phones: z.array(z.string()),
      emails: z.array(z.string()).optional(),
      company: z.string().optional(),
    }),
  ),
});

type Build = (said: Said) => OutboundMessage | null;

const BUILDS: Readonly<Record<MessageType, Build>> = {
  text: ({ content }) => {
    const { data } = textContent.safeParse(content);
    return data ? { type: "text", body: data.text.body } : null;
  },
  image: media("image"),
  audio: media("audio"),
  video: media("video"),
  document: media("document"),
  sticker: media("sticker"),
  template: ({ content, template }) => {
    const { data } = templateContent.safeParse(content);
    if (!data || template === null) return null;
    const { name, language, components } = template;
    const variables = data.template.variables ?? {};
    return { type: "template", name, language, components: templateParameters(components, variables) };
  },
  interactive: ({ content }) => {
    const { data } = interactiveContent.safeParse(content.interactive);
    return data ? { type: "interactive", interactive: data } : null;
  },
  reaction: ({ content, referencedUpstreamId: upstreamId }) => {
    const { data } = reactionContent.safeParse(content);
    return data && upstreamId !== null ? { type: "reaction", upstreamId, emoji: data.reaction.emoji } : null;
  },
  location: ({ content }) => {
    const { data } = locationContent.safeParse(content);
    return data ? { type: "location", location: data.location } : null;
  },
  contacts: ({ content }) => {
    const { data } = contactsContent.safeParse(content);
    return data ? { type: "contacts", contacts: data.contacts } : null;
  },
};

/**
 * Builds the upstream's message from a stored message. An upload takes precedence over a URL.
 * @returns null for content that can't be sent, such as erased content.
 */
export function outboundMessage(said: Said): OutboundMessage | null {
  return isMessageType(said.type) ? BUILDS[said.type](said) : null;
}

function isMessageType(type: string): type is MessageType {
  return Object.hasOwn(BUILDS, type);
}

function media(type: "image" | "audio" | "video" | "document" | "sticker"): Build {
  return ({ content, mediaId, mediaFilename }) => {
    const { data } = mediaContent.safeParse(content);
    if (!data) return null;
    const { url, filename: given } = data.media;
    const source = mediaId !== null ? { id: mediaId } : url !== undefined ? { link: url } : null;
    if (source === null) return null;
    const filename = type === "document" ? (given ?? mediaFilename) : null;
    return { type, source, caption: data.text && !isBlank(data.text.body) ? data.text.body : null, filename };
  };
}
