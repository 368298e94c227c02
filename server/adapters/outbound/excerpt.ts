import { storableText } from "@/server/lib/text";

const KEPT_BYTES_MAX = 2 * 1024;

/** The beginning of a response as text. */
export interface Excerpt {
  /** @returns the number of bytes received so far. */
  add(chunk: Buffer): number;
  /**
   * Returns the first 2 KB read as UTF-8, without an incomplete character at the end. PostgreSQL can store the text,
   * and it has at most 2 KB again, whatever the bytes were.
   */
  text(): string;
}

export function createExcerpt(): Excerpt {
  const kept: Buffer[] = [];
  let size = 0;
  return {
    add(chunk) {
      // Copied, because the chunk of a socket is part of a larger buffer.
      if (size < KEPT_BYTES_MAX) kept.push(Buffer.from(chunk.subarray(0, KEPT_BYTES_MAX - size)));
      size += chunk.byteLength;
      return size;
    },
    text() {
      if (size === 0) return "";
      return atMost(storableText(new TextDecoder().decode(Buffer.concat(kept), { stream: true })));
    },
  };
}

/** Cuts the text again, because invalid UTF-8 grows: each byte becomes a character of three. */
function atMost(text: string): string {
  if (Buffer.byteLength(text) <= KEPT_BYTES_MAX) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(KEPT_BYTES_MAX));
  return text.slice(0, read);
}
