import type { Summary } from "./usage-filter";

type Drawn = Pick<Summary, "unit" | "points">;

/** A day of hours, and a week of days: fewer points make no picture. */
const POINTS_MIN = { hour: 24, day: 7 } as const satisfies Record<Summary["unit"], number>;

/**
 * What a chart shows of a summary: from where something begins to have happened, so that a first day isn’t a thin line behind
 * an empty week. The table behind the chart has all of the time.
 */
export function drawnOf<T extends Drawn>(of: T): T {
  const { unit, points } = of;
  const first = points.findIndex(({ accepted, refused }) => accepted > 0 || (refused ?? 0) > 0);
  const from = Math.min(Math.max(first, 0), Math.max(points.length - POINTS_MIN[unit], 0));
  return from === 0 ? of : { ...of, points: points.slice(from) };
}
