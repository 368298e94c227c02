import { duration } from "@/app/ui/format";

const STEPS_MAX = 5;
const ROUND = [1, 2, 5] as const;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Steps of which the next five are short to write, in seconds or minutes, for example. */
const CLOCK_STEPS_MS = [
  ...[1, 2, 5, 10, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 4, 12].map((hours) => hours * HOUR_MS),
];

/** The ticks of an axis, from zero to the first one that is at least the largest value. */
export interface Axis {
  readonly ticks: number[];
  readonly domain: [number, number];
}

/** An axis of counts, in steps of 1, 2 or 5 times a power of ten. */
export const countAxis = (most: number): Axis => axisOf(most, roundStep(most / STEPS_MAX));

/** An axis of durations, in steps that are round in the unit that a person would use. */
export function durationAxis(mostMs: number): Axis {
  const least = mostMs / STEPS_MAX;
  if (least <= SECOND_MS / 2) return axisOf(mostMs, roundStep(least));
  const step = CLOCK_STEPS_MS.find((stepMs) => stepMs >= least);
  return axisOf(mostMs, step ?? roundStep(least / DAY_MS) * DAY_MS);
}

export const durationTick = (ms: number): string => (ms === 0 ? "0" : duration(ms));

/** Returns the smallest round number that is at least `least`, and at least one. */
function roundStep(least: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, least))));
  return power * (ROUND.find((factor) => factor * power >= least) ?? 10);
}

function axisOf(most: number, step: number): Axis {
  const count = Math.max(1, Math.ceil(most / step));
  const ticks = Array.from({ length: count + 1 }, (_, index) => index * step);
  return { ticks, domain: [0, count * step] };
}
