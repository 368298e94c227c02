import { expect, test } from "vitest";
import { daysOf } from "./days";

const WEEK_HOURS = 7 * 24;
const FIRST = Date.UTC(2026, 10, 15, 9);

const hours = Array.from({ length: WEEK_HOURS }, (_, index) => ({
  startsAt: new Date(FIRST + index * 3_600_000).toISOString(),
  accepted: index,
  failed: 1,
  refused: null,
}));

test("the hours of a week are seven days, whatever time of day it is, and none is lost", () => {
  const days = daysOf(hours);
  expect(days.map(({ startsAt }) => startsAt.slice(0, 13))).toEqual(
    [15, 16, 17, 18, 19, 20, 21].map((day) => `2026-11-${day}T09`),
  );
  expect(days.map(({ failed }) => failed)).toEqual(Array<number>(7).fill(24));
  const total = days.reduce((sum, { accepted }) => sum + accepted, 0);
  expect(total).toBe((WEEK_HOURS * (WEEK_HOURS - 1)) / 2);
});
