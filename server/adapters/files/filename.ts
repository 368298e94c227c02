import { isBlank } from "@/server/lib/text";

/** Maximum length that file systems and WhatsApp accept, with room for a suffix (255 is the common limit). */
const FILENAME_BYTES_MAX = 240;
const EXTENSION_BYTES_MAX = 16;

/**
 * Control characters, lone surrogates, line ends, and characters that reverse text (`exe.pdf` that is displayed as
 * `fdp.exe`).
 */
const UNSAFE = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;

/**
 * Cleans a file name so that it is safe to show and to store: the last part of a path, without control and direction
 * characters, at most 240 bytes of UTF-8, with its extension kept.
 * @returns null if no text is left.
 */
export function cleanFilename(name: string | undefined): string | null {
  const last = name?.normalize("NFC").split(/[/\\]/).at(-1)?.replace(UNSAFE, "").trim() ?? "";
  if (isBlank(last) || /^\.+$/.test(last)) return null;
  if (Buffer.byteLength(last) <= FILENAME_BYTES_MAX) return last;
  const [extension = ""] = /\.[^.]*$/.exec(last) ?? [];
  const kept = Buffer.byteLength(extension) <= EXTENSION_BYTES_MAX ? extension : "";
  const stem = cutToBytes(
    last.slice(0, last.length - kept.length),
    FILENAME_BYTES_MAX - Buffer.byteLength(kept),
  );
  return stem + kept;
}

function cutToBytes(text: string, bytesMax: number): string {
  let bytes = 0;
  let length = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > bytesMax) break;
    length += character.length;
  }
  return text.slice(0, length);
}

/** Returns `.pdf` for `Offer.PDF`. Empty for a name without an extension. */
export function extensionOf(filename: string | null): string {
  return /\.[^.]+$/.exec(filename ?? "")?.[0].toLowerCase() ?? "";
}
