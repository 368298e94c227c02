import { expect, test } from "vitest";
import { drawnOf } from "./drawn";
import type { Point } from "./usage-filter";

const LATENCY = { count: 0, p50Ms: null, p95Ms: null };

/** Returns that many points, with accepted messages in the given ones. */
function points(count: number, ...busy: number[]): Point[] {
  return Array.from({ length: count }, (_, index) => ({
    startsAt: String(index),
    endsAt: String(index + 1),
    accepted: busy.includes(index) ? 1 : 0,
    refused: null,
    queued: 0,
    sent: 0,
    delivered: 0,
    read: 0,
    failed: 0,
    handedOverAfter: LATENCY,
    deliveredAfter: LATENCY,
  }));
}

test.each([
  ["a first hour is shown within its day", "hour", points(168, 167), 24],
  ["days before the first busy one are left out", "hour", points(168, 100, 167), 68],
  ["what was busy from the beginning is shown whole", "hour", points(168, 0), 168],
  ["where nothing happened, all of it is shown", "day", points(30), 30],
  ["a day of hours is never cut", "hour", points(24, 23), 24],
] as const)("%s", (_, unit, all, shown) => {
  expect(drawnOf({ unit, points: all }).points).toEqual(all.slice(-shown));
});
