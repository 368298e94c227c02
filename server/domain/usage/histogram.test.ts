import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { added, EDGES_MS, percentileMs, single, sumOf } from "./histogram";

/** Like PostgreSQL's `width_bucket`. */
const bucketOf = (durationMs: number) => EDGES_MS.filter((edge) => edge <= durationMs).length;
const histogramOf = (durationsMs: readonly number[]) =>
  durationsMs.reduce<number[]>((sum, durationMs) => added(sum, single(bucketOf(durationMs), 1)), []);

const durations = fc.array(fc.double({ min: 1, max: 200_000_000, noNaN: true }), {
  minLength: 1,
  maxLength: 60,
});

describe("a percentile", () => {
  test.each([0.5, 0.95, 1])("of share %d is at most 9.1 %% and a rounding from the true one", (share) => {
    fc.assert(
      fc.property(durations, (list) => {
        const sorted = list.toSorted((one, other) => one - other);
        const exact = sorted[Math.ceil(share * list.length) - 1] ?? 0;
        const reported = percentileMs(histogramOf(list), share) ?? 0;
        expect(Math.abs(reported - exact)).toBeLessThanOrEqual(exact * 0.091 + 0.5);
      }),
    );
  });

  test("of histograms that are added up is that of all durations together", () => {
    fc.assert(
      fc.property(durations, durations, (some, others) => {
        const together = histogramOf([...some, ...others]);
        expect(added(histogramOf(some), histogramOf(others))).toEqual(together);
        expect(sumOf(together)).toBe(some.length + others.length);
      }),
    );
  });

  test("of nothing is null; of what took no time 0; of what took longer than is told apart the longest", () => {
    expect(percentileMs([], 0.5)).toBeNull();
    expect(percentileMs([0, 0], 0.5)).toBeNull();
    expect(percentileMs(histogramOf([0, 0.5]), 0.95)).toBe(0);
    expect(percentileMs(histogramOf([1e12]), 0.5)).toBe(Math.round(EDGES_MS.at(-1) ?? 0));
  });
});
