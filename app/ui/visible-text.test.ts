import { expect, test } from "vitest";
import { visibleText } from "./visible-text";

test.each([
  ["two spaces", "a  b", "a b"],
  ["spaces of other kinds, and line breaks", "\u00a0a\u3000\nb\t", "a b"],
  ["a zero-width space", "a\u200bb", "ab"],
  ["one between spaces", "a \u200b b", "a b"],
  ["what turns letters around", "\u202eevil", "evil"],
  ["what joins emoji", "👩\u200d🚀", "👩🚀"],
  ["letters with their marks apart", "e\u0301", "é"],
])("%s is seen in one way only", (_, text, seen) => {
  expect(visibleText(text)).toBe(seen);
});

test.each(["\u200b", "\u202e", "\u2060", "\u3164", "\u00ad", "\u2800", "\u200d", " "])(
  "of %j nothing is seen",
  (text) => {
    expect(visibleText(text)).toBe("");
  },
);
