import type { Fact } from "./load";

/** Counts by range. A count's range ends at the upper bound of the same place, and the last one is open. */
export interface Histogram {
  readonly upperBoundsMs: readonly number[];
  readonly counts: readonly number[];
}

/** A delay that is longer counts as a pause. Every histogram has this bound. */
export const PAUSE_MS = 100;

const LATENCY_BOUNDS_MS = [5, 10, 20, 50, PAUSE_MS, 200];

export function latencyHistogram(latenciesMs: readonly number[]): Histogram {
  const counts = [...LATENCY_BOUNDS_MS, Infinity].map(() => 0);
  for (const latencyMs of latenciesMs) {
    const place = LATENCY_BOUNDS_MS.findIndex((bound) => latencyMs <= bound);
    const at = place === -1 ? LATENCY_BOUNDS_MS.length : place;
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return { upperBoundsMs: LATENCY_BOUNDS_MS, counts };
}

/**
 * Reads what a histogram of a process has counted between two texts in Prometheus's format, in seconds, whatever the
 * labels.
 */
export function histogramBetween(name: string, before: string, after: string): Histogram {
  const [old, now] = [cumulativeOf(name, before), cumulativeOf(name, after)];
  const bounds = [...now.keys()].sort((a, b) => a - b);
  const totals = bounds.map((bound) => (now.get(bound) ?? 0) - (old.get(bound) ?? 0));
  return {
    upperBoundsMs: bounds.filter((bound) => bound !== Infinity).map((seconds) => seconds * 1000),
    counts: totals.map((total, place) => total - (totals[place - 1] ?? 0)),
  };
}

function cumulativeOf(name: string, text: string): Map<number, number> {
  const totals = new Map<number, number>();
  for (const [, labels = "", count] of text.matchAll(new RegExp(`^${name}_bucket\\{(.*)\\} (\\d+)$`, "gm"))) {
    const le = /le="([^"]+)"/.exec(labels)?.[1];
    const bound = le === "+Inf" ? Infinity : Number(le);
    totals.set(bound, (totals.get(bound) ?? 0) + Number(count));
  }
  return totals;
}

/** @throws Error for a histogram without this bound, such as that of a series that doesn't exist. */
export function countAbove({ upperBoundsMs, counts }: Histogram, boundMs: number): number {
  const place = upperBoundsMs.indexOf(boundMs);
  if (place === -1) throw new Error(`The histogram has no bound of ${boundMs} ms`);
  return counts.slice(place + 1).reduce((sum, count) => sum + count, 0);
}

/** The upper bound of the longest, in milliseconds. NaN if there is none. */
export function longestWithinMs({ upperBoundsMs, counts }: Histogram): number {
  const place = counts.findLastIndex((count) => count > 0);
  return place === -1 ? NaN : (upperBoundsMs[place] ?? Infinity);
}

/** One fact for each range that has something in it. */
export function histogramFacts(title: string, { upperBoundsMs, counts }: Histogram): Fact[] {
  return counts.flatMap((value, place) => {
    const [lower, upper] = [upperBoundsMs[place - 1] ?? 0, upperBoundsMs[place]];
    const range = upper === undefined ? `> ${lower} ms` : `${lower}–${upper} ms`;
    return value === 0 ? [] : [{ name: `${title} ${range}`, value }];
  });
}
