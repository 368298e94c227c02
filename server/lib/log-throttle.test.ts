import { expect, test } from "vitest";
import { createLogThrottle, logThrottleOf } from "./log-throttle";

test("what happens all the time is told once a minute, with how often it wasn't, each thing apart", () => {
  let nowMs = 0;
  const throttle = createLogThrottle(() => nowMs);
  const reported: (number | null)[] = [];
  for (; nowMs < 120_000; nowMs += 1_000) reported.push(throttle("one"));
  expect(reported.filter((one) => one !== null)).toEqual([0, 59]);
  expect(throttle("other")).toBe(0);
});

test("of many things at once those beyond a thousand are told as one, until the others' minute is over", () => {
  let nowMs = 0;
  const throttle = createLogThrottle(() => nowMs);
  const logMany = (name: string) => Array.from({ length: 1_500 }, (_, index) => throttle(`${name} ${index}`));
  expect(logMany("one").filter((suppressed) => suppressed !== null)).toHaveLength(1_001);
  expect(throttle("other")).toBeNull();
  nowMs = 60_000;
  expect(throttle("other")).toBe(0);
  expect(throttle("one 0")).toBe(0);
});

test("each log has one of its own, and always the same", () => {
  const [one, other] = [{}, {}];
  expect(logThrottleOf(one)("x")).toBe(0);
  expect(logThrottleOf(one)("x")).toBeNull();
  expect(logThrottleOf(other)("x")).toBe(0);
});
