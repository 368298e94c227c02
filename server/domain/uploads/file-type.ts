import { open } from "node:fs/promises";
import { fileTypeFromFile } from "file-type";
import { WaypostError } from "@/server/platform/errors";
import { MEDIA_TYPES, STATIC_STICKER_BYTES_MAX } from "@/server/adapters/whatsapp/media-types";
import { extensionOf } from "@/server/adapters/files/filename";

/** Other common names of types that WhatsApp accepts. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "image/jpg": "image/jpeg",
    "image/pjpeg": "image/jpeg",
    "image/x-png": "image/png",
    "audio/aacp": "audio/aac",
    "audio/x-aac": "audio/aac",
    "audio/mp3": "audio/mpeg",
    "audio/m4a": "audio/mp4",
    "audio/x-m4a": "audio/mp4",
    "audio/opus": "audio/ogg",
    "video/x-m4v": "video/mp4",
    "video/3gp": "video/3gpp",
    "application/x-pdf": "application/pdf",
  }),
);

/** Names that declare an unknown type. */
const UNDECLARED = new Set(["", "application/octet-stream", "binary/octet-stream"]);

/** The older Office files: one container format, whose first bytes don't distinguish them. */
const OFFICE_CONTAINER = "application/x-cfb";
const OFFICE_BY_EXTENSION: Readonly<Record<string, string>> = {
  ".doc": "application/msword",
  ".xls": "application/vnd.ms-excel",
  ".ppt": "application/vnd.ms-powerpoint",
};

/** Possible types for ambiguous signatures. */
const AMBIGUOUS: Readonly<Record<string, readonly string[]>> = {
  // Many programs write audio alone under the video brand.
  "video/mp4": ["video/mp4", "audio/mp4"],
  [OFFICE_CONTAINER]: Object.values(OFFICE_BY_EXTENSION),
  "audio/ogg; codecs=opus": ["audio/ogg"],
  // Ogg with any other codec: WhatsApp accepts Opus only.
  "audio/ogg": [],
};

const TEXT = "text/plain";
const STICKER = "image/webp";
const SHOWN_MAX = 100;

/** What the bytes of a file reveal about its type. */
export interface Evidence {
  /** Null if no known signature was found. */
  readonly sniffed: string | null;
  /** The start contains no byte that never occurs in text. */
  readonly isText: boolean;
  /** The file is a WebP with several pictures. */
  readonly isAnimated: boolean;
}

/** Returns the declared type under WhatsApp's name for it; null if none is declared. */
export function declaredType(contentType: string | undefined): string | null {
  const bare = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return UNDECLARED.has(bare) ? null : (ALIASES.get(bare) ?? bare);
}

/** Returns WhatsApp's size limit for the type, in bytes; null if it doesn't accept the type. */
export function bytesMaxOf(type: string): number | null {
  const entry = Object.values<{ sizeBytesMax: number; mimeTypes: readonly string[] }>(MEDIA_TYPES).find(
    ({ mimeTypes }) => mimeTypes.includes(type),
  );
  return entry?.sizeBytesMax ?? null;
}

/**
 * Returns the size limit of a received file, in bytes: that of its type, but a sticker that isn't animated has a lower one.
 * @throws WaypostError `invalid_media` for a type that WhatsApp accepts in no message.
 */
export function bytesMaxOfFile(type: string, { isAnimated }: Evidence): number {
  const bytesMax = requireAccepted(type);
  return type === STICKER && !isAnimated ? STATIC_STICKER_BYTES_MAX : bytesMax;
}

/** The largest limit of all types. */
export const FILE_BYTES_MAX = Math.max(...Object.values(MEDIA_TYPES).map(({ sizeBytesMax }) => sizeBytesMax));

/**
 * Returns the type's size limit. @throws WaypostError `invalid_media` for a type that WhatsApp accepts in no message.
 */
export function requireAccepted(type: string): number {
  const bytesMax = bytesMaxOf(type);
  if (bytesMax !== null) return bytesMax;
  throw invalid(`WhatsApp doesn't accept files of type \`${shown(type)}\`.`);
}

/**
 * Returns the type of a file on which the bytes and the sender agree.
 * @throws WaypostError `invalid_media` naming both if they contradict each other, or the type that WhatsApp doesn't
 * accept.
 */
export function agreedType(declared: string | null, evidence: Evidence, filename: string | null): string {
  if (declared !== null) {
    if (isPossible(declared, evidence)) return declared;
    throw invalid(`The file was sent as \`${shown(declared)}\`, but its bytes are ${wordsFor(evidence)}.`);
  }
  const type = foundType(evidence, filename);
  if (type !== null && bytesMaxOf(type) !== null) return type;
  throw invalid(`WhatsApp doesn't accept this file: the bytes are ${wordsFor(evidence)}.`);
}

/** Returns true if the bytes can be of the type. */
export function isPossible(type: string, evidence: Evidence): boolean {
  // Some signatures are two letters long: a text that starts with them is still a text.
  return possibleTypes(evidence).includes(type) || (type === TEXT && evidence.isText);
}

/** Returns the most likely type of the bytes. Null if they reveal none. */
export function foundType(evidence: Evidence, filename: string | null): string | null {
  const { sniffed, isText } = evidence;
  const found =
    sniffed === OFFICE_CONTAINER ? OFFICE_BY_EXTENSION[extensionOf(filename)] : possibleTypes(evidence)[0];
  return found ?? (sniffed === null && isText ? TEXT : null);
}

function possibleTypes({ sniffed }: Evidence): readonly string[] {
  return sniffed === null ? [] : (AMBIGUOUS[sniffed] ?? [ALIASES.get(sniffed) ?? sniffed]);
}

function wordsFor({ sniffed, isText }: Evidence): string {
  if (sniffed === "audio/ogg") return "`audio/ogg` without Opus";
  if (sniffed === OFFICE_CONTAINER)
    return "those of an older Office file, whose `Content-Type` must be given";
  if (sniffed !== null) return `\`${sniffed}\``;
  return isText ? `\`${TEXT}\`` : "of an unknown type";
}

function shown(type: string): string {
  return type.slice(0, SHOWN_MAX);
}

function invalid(message: string): WaypostError {
  return new WaypostError("invalid_media", { message });
}

/** Examines the bytes of a file on disk. */
export async function examine(path: string): Promise<Evidence> {
  // A truncated file can make the library throw; it has no known type then.
  const found = await fileTypeFromFile(path).catch(() => undefined);
  const beginning = await beginningOf(path);
  const sniffed = found?.mime ?? null;
  return { sniffed, isText: isText(beginning), isAnimated: sniffed === STICKER && isAnimatedWebp(beginning) };
}

/** The animation flag of the extended format (RFC 9649, section 2.7). */
const ANIMATION_FLAG = 0x02;

function isAnimatedWebp(bytes: Buffer): boolean {
  return bytes.toString("latin1", 12, 16) === "VP8X" && ((bytes[20] ?? 0) & ANIMATION_FLAG) !== 0;
}

const BEGINNING_BYTES = 64 * 1024;

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Bytes that never occur in text (WHATWG, MIME Sniffing, section 3, "binary data byte"). */
const BINARY_BYTES = new Set([...range(0x00, 0x08), 0x0b, ...range(0x0e, 0x1a), ...range(0x1c, 0x1f)]);
/** UTF-16 text is full of zeros. */
const UTF16_MARKS = ["fffe", "feff"];

function isText(bytes: Buffer): boolean {
  if (UTF16_MARKS.includes(bytes.subarray(0, 2).toString("hex"))) return true;
  return !bytes.some((byte) => BINARY_BYTES.has(byte));
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
