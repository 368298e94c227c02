import { codePoints, isBlank } from "@/server/lib/text";

/** The types of a message. */
export const MESSAGE_TYPES = [
  "text",
  "image",
  "audio",
  "video",
  "document",
  "sticker",
  "template",
  "interactive",
  "reaction",
  "location",
  "contacts",
] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** The fields of a request that contain its content, in the order in which they are checked. */
export const CONTENT_FIELDS = [
  "text",
  "media",
  "template",
  "interactive",
  "reaction",
  "location",
  "contacts",
] as const;
export type ContentField = (typeof CONTENT_FIELDS)[number];

/** In Unicode code points. */
export const TEXT_LENGTH_MAX = 4096;
export const CAPTION_LENGTH_MAX = 1024;

export type ContentRules = Readonly<Partial<Record<ContentField, "required" | "optional">>>;

/** Each type of message requires some of these fields, allows others, and forbids the rest. */
export const CONTENT_RULES = {
  text: { text: "required" },
  image: { media: "required", text: "optional" },
  audio: { media: "required" },
  video: { media: "required", text: "optional" },
  document: { media: "required", text: "optional" },
  sticker: { media: "required" },
  template: { template: "required" },
  interactive: { interactive: "required" },
  reaction: { reaction: "required" },
  location: { location: "required" },
  contacts: { contacts: "required" },
} as const satisfies Record<MessageType, ContentRules>;

type Maybe<T> = T | null | undefined;

/** The part of a request that the rules check. Null is the same as absent. */
export interface Content extends Readonly<Partial<Record<ContentField, unknown>>> {
  readonly type: MessageType;
  readonly text?: Maybe<{ readonly body: string }>;
  readonly media?: Maybe<{
    readonly storage_key?: Maybe<string>;
    readonly url?: Maybe<string>;
  }>;
  readonly template?: Maybe<{
    readonly template_submission_id?: Maybe<string>;
    readonly name?: Maybe<string>;
    readonly language?: Maybe<string>;
  }>;
}

export interface ContentProblem {
  readonly path: readonly string[];
  /** Continues after the field's name. */
  readonly message: string;
}

/** Returns the first field that doesn't fit the others; null if all do. */
export function contentProblem(content: Content): ContentProblem | null {
  const { type, text, media, template } = content;
  const rules: ContentRules = CONTENT_RULES[type];
  for (const field of CONTENT_FIELDS) {
    const isPresent = isGiven(content[field]);
    if (rules[field] === "required" && !isPresent)
      return { path: [field], message: `is required for type ${type}` };
    if (rules[field] === undefined && isPresent)
      return { path: [field], message: `can't be given with type ${type}` };
  }
  return (
    (text ? textProblem(rules.text === "required", text.body) : null) ??
    (media ? sourceProblem(media) : null) ??
    (template ? nameProblem(template) : null)
  );
}

/** A text is the whole content of its message, so it can't be empty; a caption can. */
function textProblem(isWholeContent: boolean, body: string): ContentProblem | null {
  const path = ["text", "body"];
  if (isWholeContent) return isBlank(body) ? { path, message: "must not be blank" } : null;
  if (codePoints(body) <= CAPTION_LENGTH_MAX) return null;
  return { path, message: `must have at most ${CAPTION_LENGTH_MAX} characters as a caption` };
}

function sourceProblem(media: NonNullable<Content["media"]>): ContentProblem | null {
  if (isGiven(media.storage_key) || isGiven(media.url)) return null;
  return { path: ["media", "storage_key"], message: "is required, or `media.url`" };
}

function nameProblem(template: NonNullable<Content["template"]>): ContentProblem | null {
  const { template_submission_id: id, name, language } = template;
  if (isGiven(id) || (isGiven(name) && isGiven(language))) return null;
  if (isGiven(name)) return { path: ["template", "language"], message: "is required with `template.name`" };
  if (isGiven(language))
    return { path: ["template", "name"], message: "is required with `template.language`" };
  return { path: ["template", "template_submission_id"], message: "is required, or `name` and `language`" };
}

/** Null is the same as absent. */
export function isGiven<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}
