import { expect, test } from "vitest";
import { createFollower } from "./follow";

const START_MS = Date.parse("2026-11-22T14:00:00Z");

test("looks each second while something happens, and more seldom the longer nothing does", () => {
  const pauseMs = createFollower();
  const queued = { state: "queued" };
  expect(pauseMs({ data: queued, dataUpdatedAt: START_MS })).toBe(1_000);
  expect(pauseMs({ data: queued, dataUpdatedAt: START_MS + 5_000 })).toBe(1_000);
  expect(pauseMs({ data: queued, dataUpdatedAt: START_MS + 60_000 })).toBe(6_000);
  expect(pauseMs({ data: queued, dataUpdatedAt: START_MS + 3_600_000 })).toBe(60_000);
  const sent = { state: "sent" };
  expect(pauseMs({ data: sent, dataUpdatedAt: START_MS + 3_660_000 })).toBe(1_000);
  expect(pauseMs({ data: sent, dataUpdatedAt: START_MS + 3_690_000 })).toBe(3_000);
});

test("says the same however often it is asked between two looks", () => {
  const pauseMs = createFollower();
  const data = {};
  pauseMs({ data, dataUpdatedAt: START_MS });
  const looked = { data, dataUpdatedAt: START_MS + 100_000 };
  expect([pauseMs(looked), pauseMs(looked), pauseMs(looked)]).toEqual([10_000, 10_000, 10_000]);
});

test("one that could never be looked at is tried again soon", () => {
  expect(createFollower()({ data: undefined, dataUpdatedAt: 0 })).toBe(1_000);
});
