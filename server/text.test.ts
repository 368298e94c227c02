import { describe, expect, test } from "vitest";
import { isBlank } from "./text";

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
