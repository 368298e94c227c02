/** Returns the value that the given share of all values doesn't exceed (nearest rank). NaN for no values. */
export function quantile(sorted: readonly number[], part: number): number {
  const rank = Math.max(1, Math.ceil(part * sorted.length));
  return sorted[rank - 1] ?? NaN;
}

/** Returns the middle value, or the mean of the two middle ones. NaN for no values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? NaN;
  return (lower + upper) / 2;
}
