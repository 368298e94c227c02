import { expect, test } from "vitest";
import { reasonWords } from "./reason-words";

test.each([
  ["INCORRECT_CATEGORY", "The category doesn’t match the content."],
  ["SOMETHING_NEW", "Something new."],
  ["toString", "toString"],
  ["It isn't at the upstream any more", "It isn't at the upstream any more"],
])("%s is told as %j", (reason, words) => {
  expect(reasonWords(reason)).toBe(words);
});
