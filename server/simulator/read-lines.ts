import { createReadStream } from "node:fs";

const newline = 0x0a;

/**
 * Yields the whole lines of a file between two byte offsets, in pieces, each with the offset after its last line. A
 * torn last line is omitted. (node:readline would also split at U+2028, which JSON doesn't escape.)
 */
export async function* readLines(
  path: string,
  range: { start: number; end: number },
): AsyncGenerator<{ lines: string[]; nextOffset: number }> {
  if (range.end <= range.start) return;
  let rest: Buffer = Buffer.alloc(0);
  let offset = range.start;
  const stream = createReadStream(path, {
    start: range.start,
    end: range.end - 1,
    highWaterMark: 256 * 1024,
  });
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const last = bytes.lastIndexOf(newline);
    if (last === -1) {
      rest = bytes;
      continue;
    }
    offset += last + 1;
    rest = bytes.subarray(last + 1);
    yield { lines: bytes.subarray(0, last).toString("utf8").split("\n"), nextOffset: offset };
  }
}
