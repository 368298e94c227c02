import { describe, expect, test } from "vitest";
import { median, quantile } from "./statistics";

describe("quantile", () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);

  test.each([
    { values: hundred, part: 0.5, expected: 50 },
    { values: hundred, part: 0.99, expected: 99 },
    { values: hundred, part: 1, expected: 100 },
    { values: [7], part: 0.5, expected: 7 },
    { values: [1, 2, 3], part: 0, expected: 1 },
    { values: [], part: 0.5, expected: NaN },
  ])("of $part is the smallest value that so many don't exceed", ({ values, part, expected }) => {
    expect(quantile(values, part)).toBe(expected);
  });
});

describe("median", () => {
  test.each([
    { values: [3, 1, 2], expected: 2 },
    { values: [4, 1, 3, 2], expected: 2.5 },
    { values: [5], expected: 5 },
    { values: [], expected: NaN },
  ])("of $values is $expected", ({ values, expected }) => {
    expect(median(values)).toBe(expected);
  });
});
