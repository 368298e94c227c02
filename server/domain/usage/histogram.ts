/**
 * Counts of durations in buckets that can be added up, so that percentiles of any span follow from those of its hours.
 * Four buckets per doubling, from 1 ms to two and a half days: a percentile differs by at most 9 % from the true one.
 * Shorter or longer durations are in the first or last bucket.
 */
export type Histogram = readonly number[];

const PER_DOUBLING = 4;
const EDGE_COUNT = 112;

/** Milliseconds at which the next bucket starts, ascending. Bucket 0 is below the first. */
export const EDGES_MS = Array.from({ length: EDGE_COUNT }, (_, index) => 2 ** (index / PER_DOUBLING));
export const BUCKET_COUNT = EDGE_COUNT + 1;

export function sumOf(histogram: Histogram): number {
  return histogram.reduce((sum, count) => sum + count, 0);
}

export function added(one: Histogram, other: Histogram): number[] {
  const [long, short] = one.length >= other.length ? [one, other] : [other, one];
  return long.map((count, bucket) => count + (short[bucket] ?? 0));
}

/** Returns a histogram with that many values in one bucket. */
export function single(bucket: number, count: number): number[] {
  return Array.from({ length: bucket + 1 }, (_, index) => (index === bucket ? count : 0));
}

/**
 * Returns a percentile by nearest rank, in whole milliseconds.
 * @param share such as 0.95. @returns null if nothing was counted.
 */
export function percentileMs(histogram: Histogram, share: number): number | null {
  const rank = Math.max(1, Math.ceil(share * sumOf(histogram)));
  let seen = 0;
  for (const [bucket, count] of histogram.entries()) {
    seen += count;
    if (seen >= rank) return Math.round(middleMs(bucket));
  }
  return null;
}

/** Returns the geometric mean of the bucket's edges: the same ratio to both ends. The last bucket has no upper end. */
function middleMs(bucket: number): number {
  if (bucket === 0) return 0;
  return 2 ** ((bucket - (bucket < EDGE_COUNT ? 0.5 : 1)) / PER_DOUBLING);
}
