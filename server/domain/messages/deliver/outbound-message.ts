import { z } from "zod";
import { isBlank } from "@/server/lib/text";
import type { MediaMessage, OutboundMessage } from "@/server/adapters/whatsapp/message-body";
import { templateParameters } from "@/server/adapters/whatsapp/template-components";
import type { OpenedAttempt } from "./open-attempts";

const textContent = z.object({ text: z.object({ body: z.string() }) });
const mediaContent = z.object({
  text: z.object({ body: z.string() }).optional(),
  media: z.object({ url: z.string().optional(), filename: z.string().optional() }),
});
const templateContent = z.object({
  template: z.object({ variables: z.record(z.string(), z.string()).optional() }),
});

type Said = Pick<OpenedAttempt, "type" | "content" | "mediaId" | "mediaFilename" | "template">;

/**
 * Builds the upstream's message from a stored message. An upload takes precedence over a URL.
 * @returns null for content that can't be sent, such as erased content.
 */
export function outboundMessage(said: Said): OutboundMessage | null {
  switch (said.type) {
    case "text": {
      const parsed = textContent.safeParse(said.content);
      return parsed.success ? { type: "text", body: parsed.data.text.body } : null;
    }
    case "image":
    case "audio":
    case "video":
    case "document":
      return mediaMessage(said.type, said);
    case "template": {
      const parsed = templateContent.safeParse(said.content);
      if (!parsed.success || said.template === null) return null;
      const { name, language, components } = said.template;
      const variables = parsed.data.template.variables ?? {};
      return { type: "template", name, language, components: templateParameters(components, variables) };
    }
    default:
      return null;
  }
}

function mediaMessage(
  type: MediaMessage["type"],
  { content, mediaId, mediaFilename }: Said,
): MediaMessage | null {
  const parsed = mediaContent.safeParse(content);
  if (!parsed.success) return null;
  const { media, text } = parsed.data;
  const source = mediaId !== null ? { id: mediaId } : media.url !== undefined ? { link: media.url } : null;
  if (source === null) return null;
  const filename = type === "document" ? (media.filename ?? mediaFilename) : null;
  return { type, source, caption: text && !isBlank(text.body) ? text.body : null, filename };
}
