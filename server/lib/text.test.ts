import { describe, expect, test } from "vitest";
import { isBlank, nameSchema } from "./text";

describe("isBlank", () => {
  test.each([
    ["nothing", ""],
    ["white space of every kind", " \t\r\n\u00a0\u2003\u3000\u2028"],
    ["zero-width characters", "\u200b\u200c\u200d\u2060\ufeff"],
    ["soft hyphens and marks of direction", "\u00ad\u061c\u200e\u202e\u2066"],
    ["fillers, which are letters to Unicode", "\u115f\u1160\u3164\uffa0"],
    ["variation selectors and tags alone", "\ufe0f\u{e0061}\u{e007f}"],
    ["control characters", "\u0001\u007f\u0085"],
    ["an empty Braille cell", "\u2800"],
    ["a mix", " \u200b \ufeff\n"],
  ])("is true of %s", (_, text) => {
    expect(isBlank(text)).toBe(true);
  });

  test.each(["a", "\u200b.\u200b", "👩‍👩‍👧", "❤️", "\u2801", "\u0301", " - "])("is false of %j", (text) => {
    expect(isBlank(text)).toBe(false);
  });
});

describe("nameSchema", () => {
  test.each([
    ["two spaces between words", "a  b", "a b"],
    ["spaces of other kinds", "\u3000a\u00a0\u2003b ", "a b"],
  ])("takes %s for one", (_, given, taken) => {
    expect(nameSchema.parse(given)).toBe(taken);
  });

  test.each([
    "Żółw & Söhne 3",
    "👩‍👩‍👧 ❤️ 1️⃣ 👍🏽 👩🏽‍🚀 🏴󠁧󠁢󠁳󠁣󠁴󠁿",
    "می\u200cخواهم",
    "ශ්\u200dරී ලංකා",
    "葛\u{e0100}城",
    "\u0600\u0661\u0662",
    "x".repeat(100),
    "😀".repeat(100),
  ])("leaves %s as it is", (name) => {
    expect(nameSchema.parse(name)).toBe(name);
  });

  test.each([
    ["nothing", ""],
    ["spaces alone", " \u3000"],
    ["101 characters", "x".repeat(101)],
    ["a line break", "a\nb"],
    ["a zero-width space", "\u200b"],
    ["a zero-width space among letters", "ab\u200bc"],
    ["what turns letters around", "\u202eevil"],
    ["a word joiner", "\u2060"],
    ["a filler", "\u3164"],
    ["a filler with a variation selector", "\u3164\ufe0f"],
    ["a soft hyphen", "\u00ad"],
    ["an empty Braille cell", "\u2800"],
    ["a joiner alone", "\u200d"],
    ["a joiner among letters", "a\u200db"],
    ["a joiner after an emoji", "👩\u200d"],
    ["tags without a flag", "a\u{e0067}\u{e007f}"],
    ["a lone surrogate", "a\ud800"],
    ["an annotation", "a\ufff9b"],
  ])("refuses %s", (_, name) => {
    expect(nameSchema.safeParse(name).success).toBe(false);
  });

  test("takes of the characters that format others those that are seen, which stand around digits and letters", () => {
    const formatting = Array.from({ length: 0x110000 }, (_, code) => code).filter((code) =>
      /\p{Cf}/u.test(String.fromCodePoint(code)),
    );
    const taken = formatting.filter(
      (code) => nameSchema.safeParse(`a${String.fromCodePoint(code)}b`).success,
    );
    // Unicode's property Prepended_Concatenation_Mark, and the Syriac abbreviation mark.
    const seen = [
      0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6dd, 0x70f, 0x890, 0x891, 0x8e2, 0x110bd, 0x110cd,
    ];
    expect(taken).toEqual(seen);
  });
});
