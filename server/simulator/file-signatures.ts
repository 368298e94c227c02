import type { MediaKind } from "./media";

/** First bytes by which a file shows its type, and the kinds of media that it can be sent as, besides a document. */
const signatures: readonly { offset: number; bytes: string; kinds: readonly MediaKind[] }[] = [
  { offset: 0, bytes: "\xff\xd8\xff", kinds: ["image"] },
  { offset: 0, bytes: "\x89PNG\r\n\x1a\n", kinds: ["image"] },
  { offset: 8, bytes: "WEBP", kinds: ["sticker"] },
  { offset: 4, bytes: "ftyp", kinds: ["audio", "video"] },
  { offset: 0, bytes: "OggS", kinds: ["audio"] },
  { offset: 0, bytes: "ID3", kinds: ["audio"] },
  { offset: 0, bytes: "#!AMR", kinds: ["audio"] },
  { offset: 0, bytes: "GIF8", kinds: [] },
  { offset: 0, bytes: "%PDF-", kinds: [] },
  { offset: 0, bytes: "PK\x03\x04", kinds: [] },
];

const page = /^\s*<(?:!doctype|!--|\?xml|html|head|body|svg)/i;

/** Number of bytes that decide. */
export const signatureBytes = 256;

/** Returns true if the first bytes are those of a WebP with several pictures (RFC 9649, section 2.7). */
export function isAnimatedWebp(firstBytes: Buffer): boolean {
  return firstBytes.toString("latin1", 8, 16) === "WEBPVP8X" && ((firstBytes[20] ?? 0) & 2) !== 0;
}

/** Returns true if the first bytes show a file of another kind, or a page. Bytes that show no type contradict none. */
export function isOtherKind(firstBytes: Buffer, kind: MediaKind): boolean {
  // A file of any kind may be sent as a document.
  if (kind === "document") return false;
  const text = firstBytes.toString("latin1");
  if (page.test(text)) return true;
  const shown = signatures.find(({ offset, bytes }) => text.startsWith(bytes, offset));
  return shown !== undefined && !shown.kinds.includes(kind);
}
