import fc from "fast-check";
import { expect, test } from "vitest";
import { countAxis, durationAxis, durationTick } from "./axis";

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [23, [0, 5, 10, 15, 20, 25]],
  [50, [0, 10, 20, 30, 40, 50]],
  [51, [0, 20, 40, 60]],
  [431, [0, 100, 200, 300, 400, 500]],
  [1_234_567, [0, 500_000, 1_000_000, 1_500_000]],
])("up to %d messages, the ticks are %j", (most, ticks) => {
  expect(countAxis(most)).toEqual({ ticks, domain: [0, ticks.at(-1)] });
});

test("a count axis has at most five steps, of 1, 2 or 5 times a power of ten, and holds the largest value", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 12 }), (most) => {
      const { ticks, domain } = countAxis(most);
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect(String(ticks[1])).toMatch(/^[125]0*$/);
      expect(domain[1]).toBeGreaterThanOrEqual(most);
      expect(ticks.at(-2)).toBeLessThan(most);
    }),
  );
});

test.each([
  [3, ["0", "1 ms", "2 ms", "3 ms"]],
  [430, ["0", "100 ms", "200 ms", "300 ms", "400 ms", "500 ms"]],
  [4_100, ["0", "1 s", "2 s", "3 s", "4 s", "5 s"]],
  [70_000, ["0", "30 s", "1 min", "1.5 min"]],
  [140_000, ["0", "30 s", "1 min", "1.5 min", "2 min", "2.5 min"]],
  [50 * 60_000, ["0", "10 min", "20 min", "30 min", "40 min", "50 min"]],
  [11 * 3_600_000, ["0", "4 h", "8 h", "12 h"]],
  [40 * 3_600_000, ["0", "12 h", "1 d", "1.5 d", "2 d"]],
  [9 * 86_400_000, ["0", "2 d", "4 d", "6 d", "8 d", "10 d"]],
])("up to %d ms, the ticks are %j", (most, ticks) => {
  expect(durationAxis(most).ticks.map(durationTick)).toEqual(ticks);
});
