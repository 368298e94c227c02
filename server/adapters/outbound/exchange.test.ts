import fc from "fast-check";
import { expect, test } from "vitest";
import { createExcerpt } from "./exchange";

const KEPT_BYTES_MAX = 2048;

function excerptOf(...chunks: readonly (string | Uint8Array)[]): string {
  const excerpt = createExcerpt();
  for (const chunk of chunks) excerpt.add(Buffer.from(chunk));
  return excerpt.text();
}

test.each([
  ["nothing", [], ""],
  ["pieces", ["a", "", "b"], "ab"],
  ["a character in pieces", [Buffer.from([0xc3]), Buffer.from([0xa4])], "ä"],
  ["NUL", ["a\0b"], "ab"],
  ["what isn't UTF-8", [Buffer.from([0x61, 0xff, 0x62])], "a\ufffdb"],
  ["half a surrogate pair", [Buffer.from([0xed, 0xa0, 0xbd, 0x61])], "\ufffd\ufffd\ufffda"],
  ["2 KB and more", ["a".repeat(2000), "b".repeat(2000)], "a".repeat(2000) + "b".repeat(48)],
  ["a character across the end", ["a".repeat(KEPT_BYTES_MAX - 1), "ä"], "a".repeat(KEPT_BYTES_MAX - 1)],
  ["an emoji across the end", [`${"a".repeat(KEPT_BYTES_MAX - 3)}😀`], "a".repeat(KEPT_BYTES_MAX - 3)],
  ["bytes that each grow", [Buffer.alloc(KEPT_BYTES_MAX, 0xff)], "\ufffd".repeat(682)],
])("%s is kept as text", (_, chunks, expected) => {
  expect(excerptOf(...chunks)).toBe(expected);
});

test("whatever comes, in whatever pieces, is well-formed, without NUL, and 2 KB at most", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 1500 }), { maxLength: 4 }), (chunks) => {
      const text = excerptOf(...chunks);
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toContain("\0");
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(KEPT_BYTES_MAX);
      expect(text).toBe(excerptOf(Buffer.concat(chunks)));
    }),
  );
});
