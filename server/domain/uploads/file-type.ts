import { open } from "node:fs/promises";
import { fileTypeFromFile } from "file-type";
import { WaypostError } from "@/server/platform/errors";
import { MEDIA_TYPES } from "@/server/adapters/whatsapp/media-types";
import { extensionOf } from "@/server/adapters/files/filename";

/** Other names that are in use for types that WhatsApp takes. */
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

/** Names by which a sender says that it doesn't know the type. */
const UNDECLARED = new Set(["", "application/octet-stream", "binary/octet-stream"]);

/** The older Office files: one container, whose bytes don't tell them apart where they are looked at. */
const OFFICE_CONTAINER = "application/x-cfb";
const OFFICE_BY_EXTENSION: Readonly<Record<string, string>> = {
  ".doc": "application/msword",
  ".xls": "application/vnd.ms-excel",
  ".ppt": "application/vnd.ms-powerpoint",
};

/** What the bytes can be, for those whose mark leaves it open. */
const AMBIGUOUS: Readonly<Record<string, readonly string[]>> = {
  // Many programs write sound alone under the brand of films.
  "video/mp4": ["video/mp4", "audio/mp4"],
  [OFFICE_CONTAINER]: Object.values(OFFICE_BY_EXTENSION),
  "audio/ogg; codecs=opus": ["audio/ogg"],
  // Ogg of any other codec: WhatsApp takes Opus only.
  "audio/ogg": [],
};

const TEXT = "text/plain";
const SHOWN_MAX = 100;

/** What the bytes of a file say of its type. */
export interface Evidence {
  /** Null where no mark of a known type was found. */
  readonly sniffed: string | null;
  /** No byte at its beginning is one that no text has. */
  readonly isText: boolean;
}

/** The type that the sender gives, under WhatsApp's name for it; null where it gives none. */
export function declaredType(contentType: string | undefined): string | null {
  const bare = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return UNDECLARED.has(bare) ? null : (ALIASES.get(bare) ?? bare);
}

/** Largest file of the type that WhatsApp takes, in bytes; null where it takes none of that type. */
export function bytesMaxOf(type: string): number | null {
  const entry = Object.values<{ sizeBytesMax: number; mimeTypes: readonly string[] }>(MEDIA_TYPES).find(
    ({ mimeTypes }) => mimeTypes.includes(type),
  );
  return entry?.sizeBytesMax ?? null;
}

/** Largest file of all. */
export const FILE_BYTES_MAX = Math.max(...Object.values(MEDIA_TYPES).map(({ sizeBytesMax }) => sizeBytesMax));

/** @throws WaypostError `invalid_media` for a type that WhatsApp accepts in no message. */
export function requireAccepted(type: string): number {
  const bytesMax = bytesMaxOf(type);
  if (bytesMax !== null) return bytesMax;
  throw invalid(`WhatsApp doesn't accept files of type \`${shown(type)}\`.`);
}

/**
 * The type of a file, which the bytes and the sender agree on.
 * @throws WaypostError `invalid_media` naming both where they contradict each other, or the one that WhatsApp doesn't take.
 */
export function agreedType(declared: string | null, evidence: Evidence, filename: string | null): string {
  const { sniffed, isText } = evidence;
  const possible = sniffed === null ? [] : (AMBIGUOUS[sniffed] ?? [ALIASES.get(sniffed) ?? sniffed]);
  if (declared !== null) {
    // Some marks are two letters long: a text that begins with them is a text all the same.
    if (possible.includes(declared) || (declared === TEXT && isText)) return declared;
    throw invalid(`The file was sent as \`${shown(declared)}\`, but its bytes are ${wordsFor(evidence)}.`);
  }
  const found = sniffed === OFFICE_CONTAINER ? OFFICE_BY_EXTENSION[extensionOf(filename)] : possible[0];
  const type = found ?? (sniffed === null && isText ? TEXT : null);
  if (type !== null && bytesMaxOf(type) !== null) return type;
  throw invalid(`WhatsApp doesn't accept this file: the bytes are ${wordsFor(evidence)}.`);
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

/** Looks at the bytes of a file on disk. */
export async function examine(path: string): Promise<Evidence> {
  // A file that is cut off can make the library stumble; it has no known type then.
  const found = await fileTypeFromFile(path).catch(() => undefined);
  return { sniffed: found?.mime ?? null, isText: isText(await beginningOf(path)) };
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

/** Bytes that no text has (WHATWG, MIME Sniffing, section 3, "binary data byte"). */
const BINARY_BYTES = new Set([...range(0x00, 0x08), 0x0b, ...range(0x0e, 0x1a), ...range(0x1c, 0x1f)]);
/** UTF-16, whose text is full of zeros. */
const UTF16_MARKS = ["fffe", "feff"];

function isText(bytes: Buffer): boolean {
  if (UTF16_MARKS.includes(bytes.subarray(0, 2).toString("hex"))) return true;
  return !bytes.some((byte) => BINARY_BYTES.has(byte));
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
