import { expect, test } from "vitest";
import { compareCounts, compareDurations } from "./comparison";

test.each([
  [128, 114, "up", "Up 12% from 114"],
  [60, 1_200, "down", "Down 95% from 1,200"],
  [5, 5, null, "Same as before"],
  [0, 0, null, "Same as before"],
  [7, 0, "up", "Up from 0"],
  [0, 7, "down", "Down 100% from 7"],
  [1, 1_000, "down", "Down more than 99% from 1,000"],
  [500, 1, "up", "Up from 1"],
  [2_000_001, 2_000_000, "up", "Up less than 1% from 2,000,000"],
])("%d after %d is %s: %s", (now, before, direction, words) => {
  expect(compareCounts(now, before)).toEqual({ direction, words });
});

test.each([
  [200, 100, "up", "Up 100% from 100 ms"],
  [900, 2_400, "down", "Down 63% from 2.4 s"],
  [108, 100, null, "About the same as before"],
  [108, null, null, "None before"],
  [5, 0, "up", "Up from less than 1 ms"],
])("%d ms after %s ms is %s: %s", (now, before, direction, words) => {
  expect(compareDurations(now, before)).toEqual({ direction, words });
});

test("no duration is compared with nothing", () => {
  expect(compareDurations(null, 100)).toBeNull();
});
