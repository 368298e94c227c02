import { storableText } from "@/server/lib/text";

const KEPT_BYTES_MAX = 2 * 1024;

/** The beginning of an answer as text. */
export interface Excerpt {
  /** @returns how many bytes came until now. */
  add(chunk: Buffer): number;
  /**
   * Its first 2 KB read as UTF-8, without half a character at the end; as PostgreSQL can store it, and, whatever the
   * bytes were, in at most 2 KB again.
   */
  text(): string;
}

export function createExcerpt(): Excerpt {
  const kept: Buffer[] = [];
  let size = 0;
  return {
    add(chunk) {
      // A copy: what comes from the socket is part of a larger buffer.
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

/** What isn't UTF-8 grows as it is read: each byte becomes a character of three. */
function atMost(text: string): string {
  if (Buffer.byteLength(text) <= KEPT_BYTES_MAX) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(KEPT_BYTES_MAX));
  return text.slice(0, read);
}
