import { expect, test } from "vitest";
import { isOneEmoji } from "./emoji";

test.each(["👍", "❤️", "❤", "👍🏽", "👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🇩🇪", "1️⃣", "#️⃣", "🏳️‍🌈", "☺️", "©️", "🫠"])(
  "%s is one emoji",
  (text) => {
    expect(isOneEmoji(text)).toBe(true);
  },
);

test.each([
  "",
  " ",
  "a",
  "1",
  "#",
  "👍👍",
  "👍 ",
  "a👍",
  "👍a",
  "🇩",
  "🏽",
  "🏽🏽",
  "©",
  "🇩🇪🇫🇷",
  "é",
  "\ufe0f",
  "\u200d",
  "\u20e3",
  "👍\u0000",
])("%j is not one emoji", (text) => {
  expect(isOneEmoji(text)).toBe(false);
});

test.each([1, 100])("a picture with %d accents is not one emoji", (count) => {
  expect(isOneEmoji(`👍${"\u0301".repeat(count)}`)).toBe(false);
});
