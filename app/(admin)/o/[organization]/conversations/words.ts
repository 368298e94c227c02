import { typeWords } from "../shared/type-words";
import type { ActEntry, Entry, MessageEntry } from "./types";

/** Types whose words say enough by themselves. */
const PLAIN_TYPES: ReadonlySet<string> = new Set(["text", "interactive", "button"]);

/** Returns a message in one line: its words behind its type, where that says more than the words. */
export function lineOf({ type, preview }: { type: string; preview: string | null }): string {
  if (PLAIN_TYPES.has(type) && preview !== null) return preview;
  const words = typeWords(type);
  return preview === null ? words : `${words}: ${preview}`;
}

type MessageFile = Pick<NonNullable<MessageEntry["file"]>, "state" | "goneReason">;

const FILE_STATES = {
  stored: null,
  linked: "sent by its URL: Waypost has no copy",
  pending: "being fetched from WhatsApp",
  gone: "no longer available: Waypost erases uploads after about 30 days",
} as const;

const GONE_REASONS = {
  expired: "no longer available: WhatsApp doesn’t have it any more",
  no_room: "not available: the upload quota had no room for it until WhatsApp deleted it",
  too_large: "not available: larger than 100 MiB",
  erased: "no longer available: it was erased",
} as const;

/** Returns where a message's file is, unless it is simply there. */
export function fileStateWords({ state, goneReason }: MessageFile): string | null {
  return goneReason === null ? FILE_STATES[state] : GONE_REASONS[goneReason];
}

/** Message types whose file may have a caption. */
const CAPTIONED: ReadonlySet<FileType> = new Set(["image", "video", "document"]);

export type FileType = "image" | "video" | "audio" | "document" | "sticker";

export const mayHaveCaption = (type: FileType): boolean => CAPTIONED.has(type);

/** Returns the type of message that sends a file with this MIME type. */
export function fileTypeOf(mimeType: string): FileType {
  // WhatsApp takes WebP as a sticker only.
  if (mimeType === "image/webp") return "sticker";
  const [family] = mimeType.split("/");
  return family === "image" || family === "video" || family === "audio" ? family : "document";
}

const STEPS = [
  { unit: "MB", bytes: 1_000_000 },
  { unit: "kB", bytes: 1_000 },
] as const;

/** Formats `1.4 MB`, for example. */
export function sizeWords(bytes: number): string {
  const step = STEPS.find((one) => bytes >= one.bytes);
  if (step === undefined) return `${bytes} bytes`;
  return `${(bytes / step.bytes).toLocaleString("en", { maximumFractionDigits: 1 })} ${step.unit}`;
}

type NamedMember = NonNullable<ActEntry["by"]>;

/** A removed member keeps their name. */
const nameOf = (member: NamedMember | null, otherwise: string) => member?.name ?? otherwise;

/** Returns an act as a sentence, such as `Anna closed the conversation`. */
export function actWords({ act, by, assignee }: Pick<ActEntry, "act" | "by" | "assignee">): string {
  const who = nameOf(by, by === null ? "Waypost" : "A member");
  switch (act) {
    case "closed":
      return `${who} closed the conversation`;
    case "reopened":
      return `${who} reopened the conversation`;
    case "assigned":
      if (assignee !== null && assignee.id === by?.id) return `${who} self-assigned the conversation`;
      return `${who} assigned the conversation to ${nameOf(assignee, "a member")}`;
    case "unassigned":
      return `${who} unassigned the conversation`;
    case "reassigned":
      return `${who} changed the assignee`;
  }
}

/** Large emoji for up to three of them and nothing else, as phones do. */
const EMOJI =
  /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200d|\ufe0f|\u20e3)+$/u;
const EMOJI_MAX = 3;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Returns whether a text has nothing but a few emoji. */
export function isEmojiOnly(text: string): boolean {
  const plain = text.replace(/\s+/gu, "");
  if (plain === "" || plain.length > 40 || !EMOJI.test(plain)) return false;
  return [...graphemes.segment(plain)].length <= EMOJI_MAX;
}

/** A customer's message shows when it was written, from which the window counts, and not when it arrived. */
export const shownTimeOf = (entry: Entry): Date =>
  new Date((entry.kind === "message" ? entry.writtenAt : null) ?? entry.at);

/** Returns the day of a time in the viewer's zone: `Today`, `Yesterday`, `Monday, 24 November 2026`. */
export function dayWords(at: Date, now: number): string {
  const start = (time: Date) => new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime();
  const days = Math.round((start(new Date(now)) - start(at)) / 86_400_000);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  return at.toLocaleDateString("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" });
}

/** Formats the rest of a window, as `21 h` or `12 min`; null once it is over. */
export function remainingWords(until: string, now: number): string | null {
  const minutes = Math.floor((new Date(until).getTime() - now) / 60_000);
  if (minutes < 0) return null;
  return minutes >= 60 ? `${Math.floor(minutes / 60)} h` : `${minutes} min`;
}
