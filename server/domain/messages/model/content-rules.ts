import { codePoints, isBlank } from "@/server/lib/text";

/** The types of a message. */
export const MESSAGE_TYPES = ["text", "image", "audio", "video", "document", "template"] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** The fields of a request that are the content of its message. */
export const CONTENT_FIELDS = ["text", "media", "template"] as const;

/** In Unicode code points. */
export const TEXT_LENGTH_MAX = 4096;
export const CAPTION_LENGTH_MAX = 1024;

type Presence = "required" | "optional" | "refused";

export interface ContentRules {
  readonly text: Presence;
  readonly media: Presence;
  readonly template: Presence;
}

/** Each type of message requires some of these fields, allows others, and forbids the rest. */
export const CONTENT_RULES = {
  text: { text: "required", media: "refused", template: "refused" },
  image: { text: "optional", media: "required", template: "refused" },
  audio: { text: "refused", media: "required", template: "refused" },
  video: { text: "optional", media: "required", template: "refused" },
  document: { text: "optional", media: "required", template: "refused" },
  template: { text: "refused", media: "refused", template: "required" },
} as const satisfies Record<MessageType, ContentRules>;

type Maybe<T> = T | null | undefined;

/** The part of a request that the rules check. Null is the same as absent. */
export interface Content {
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
  return (
    presenceProblem(["text"], rules.text, text, type) ??
    presenceProblem(["media"], rules.media, media, type) ??
    presenceProblem(["template"], rules.template, template, type) ??
    (text ? textProblem(rules.text, text.body) : null) ??
    (media ? sourceProblem(media) : null) ??
    (template ? nameProblem(template) : null)
  );
}

function presenceProblem(
  path: readonly string[],
  presence: Presence,
  value: unknown,
  type: MessageType,
): ContentProblem | null {
  if (presence === "required" && !isGiven(value)) return { path, message: `is required for type ${type}` };
  if (presence === "refused" && isGiven(value)) return { path, message: `can't be given with type ${type}` };
  return null;
}

/** A text is the whole content of its message, so it can't be empty; a caption can. */
function textProblem(presence: Presence, body: string): ContentProblem | null {
  const path = ["text", "body"];
  if (presence === "required") return isBlank(body) ? { path, message: "must not be blank" } : null;
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
