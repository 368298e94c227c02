import { expect, test } from "vitest";
import {
  countAbove,
  histogramBetween,
  histogramFacts,
  latencyHistogram,
  longestWithinMs,
  PAUSE_MS,
} from "./histogram";

test("a latency counts up to its bound, and what no bound reaches is above the last", () => {
  const histogram = latencyHistogram([0, 5, 5.1, 100, 100.1, 201]);
  expect(countAbove(histogram, PAUSE_MS)).toBe(2);
  expect(histogramFacts("read: requests", histogram)).toEqual([
    { name: "read: requests 0–5 ms", value: 2 },
    { name: "read: requests 5–10 ms", value: 1 },
    { name: "read: requests 50–100 ms", value: 1 },
    { name: "read: requests 100–200 ms", value: 1 },
    { name: "read: requests > 200 ms", value: 1 },
  ]);
});

test("of a process's histogram, what came between two texts is read, over all labels", () => {
  const text = (small: number, large: number) =>
    [
      "# TYPE waypost_gc_pause_seconds histogram",
      `waypost_gc_pause_seconds_bucket{le="0.025",kind="minor"} ${small}`,
      `waypost_gc_pause_seconds_bucket{le="0.1",kind="minor"} ${small}`,
      `waypost_gc_pause_seconds_bucket{le="+Inf",kind="minor"} ${small}`,
      `waypost_gc_pause_seconds_bucket{le="0.025",kind="major"} 1`,
      `waypost_gc_pause_seconds_bucket{le="0.1",kind="major"} 1`,
      `waypost_gc_pause_seconds_bucket{le="+Inf",kind="major"} ${1 + large}`,
      `waypost_gc_pause_seconds_bucket_more{le="0.1"} 9`,
    ].join("\n");
  const between = (small: number, large: number) =>
    histogramBetween("waypost_gc_pause_seconds", text(5, 0), text(5 + small, large));
  expect(between(3, 1)).toEqual({ upperBoundsMs: [25, 100], counts: [3, 0, 1] });
  expect(countAbove(between(3, 1), PAUSE_MS)).toBe(1);
  expect([between(3, 1), between(3, 0), between(0, 0)].map(longestWithinMs)).toEqual([Infinity, 25, NaN]);
});
