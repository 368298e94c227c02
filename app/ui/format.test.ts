import { expect, test } from "vitest";
import { duration, share, withoutPrefix } from "./format";

test.each([
  [0, "0 ms"],
  [1, "1 ms"],
  [430, "430 ms"],
  [999.6, "1 s"],
  [2_449, "2.4 s"],
  [12_600, "13 s"],
  [2_100_000, "35 min"],
  [5_400_000, "1.5 h"],
  [129_600_000, "1.5 d"],
])("%d milliseconds are %s", (ms, words) => {
  expect(duration(ms)).toBe(words);
});

test("a share is told to a tenth of a percent, and of nothing there is none", () => {
  expect([share(1, 8), share(2, 3), share(0, 5), share(0, 0)]).toEqual(["12.5%", "66.7%", "0%", null]);
});

test.each([
  ["Hello", "Hello", ""],
  ["Hello, and", "Hello", ", and"],
  ["Good bye", "Hello", "Good bye"],
  ["", "Hello", ""],
])("of %j, with %j sent, %j is left", (text, sent, left) => {
  expect(withoutPrefix(text, sent)).toBe(left);
});
