import { expect, test } from "vitest";
import { createSeldom, seldomOf } from "./seldom";

test("what happens all the time is told once a minute, with how often it wasn't, each thing apart", () => {
  let nowMs = 0;
  const seldom = createSeldom(() => nowMs);
  const told: (number | null)[] = [];
  for (; nowMs < 120_000; nowMs += 1_000) told.push(seldom("one"));
  expect(told.filter((one) => one !== null)).toEqual([0, 59]);
  expect(seldom("other")).toBe(0);
});

test("of many things at once those beyond a thousand are told as one, until the others' minute is over", () => {
  let nowMs = 0;
  const seldom = createSeldom(() => nowMs);
  const tell = (name: string) => Array.from({ length: 1_500 }, (_, index) => seldom(`${name} ${index}`));
  expect(tell("one").filter((untold) => untold !== null)).toHaveLength(1_001);
  expect(seldom("other")).toBeNull();
  nowMs = 60_000;
  expect(seldom("other")).toBe(0);
  expect(seldom("one 0")).toBe(0);
});

test("each log has one of its own, and always the same", () => {
  const [one, other] = [{}, {}];
  expect(seldomOf(one)("x")).toBe(0);
  expect(seldomOf(one)("x")).toBeNull();
  expect(seldomOf(other)("x")).toBe(0);
});
