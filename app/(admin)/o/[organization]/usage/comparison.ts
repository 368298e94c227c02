import { count, duration } from "@/app/ui/format";

/** The difference between a figure and that of the period before. */
export interface Comparison {
  /** Null if it is the same. */
  readonly direction: "up" | "down" | null;
  readonly words: string;
}

/** Percentiles are only this exact, so a smaller difference says nothing. */
const INEXACT = 0.1;
/** A larger percentage is harder to read than the two numbers. */
const PERCENT_MAX = 999;

export function compareCounts(now: number, before: number): Comparison {
  if (now === before) return { direction: null, words: "Same as before" };
  return changed(now, before, count.format(before));
}

/** @returns null if there is no duration to compare. */
export function compareDurations(nowMs: number | null, beforeMs: number | null): Comparison | null {
  if (nowMs === null) return null;
  if (beforeMs === null) return { direction: null, words: "None before" };
  if (Math.abs(nowMs - beforeMs) <= beforeMs * INEXACT)
    return { direction: null, words: "About the same as before" };
  return changed(nowMs, beforeMs, beforeMs < 1 ? "less than 1 ms" : duration(beforeMs));
}

function changed(now: number, before: number, from: string): Comparison {
  const percent = before === 0 ? Infinity : Math.round((Math.abs(now - before) / before) * 100);
  const by = percent > PERCENT_MAX ? "" : percent < 1 ? " less than 1%" : ` ${percent}%`;
  if (now > before) return { direction: "up", words: `Up${by} from ${from}` };
  // Only none at all is down by 100%.
  return {
    direction: "down",
    words: `Down${percent === 100 && now > 0 ? " more than 99%" : by} from ${from}`,
  };
}
