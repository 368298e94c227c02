import type { Summary } from "./usage-filter";

type Drawn = Pick<Summary, "unit" | "points">;

/** A day of hours, or a week of days: fewer points make no useful chart. */
const POINTS_MIN = { hour: 24, day: 7 } as const satisfies Record<Summary["unit"], number>;

/**
 * Returns the part of a summary that a chart shows. It starts at the first activity, so that a first day isn’t a thin
 * line after an empty week. The table behind the chart covers the full time.
 */
export function drawnOf<T extends Drawn>(of: T): T {
  const { unit, points } = of;
  const first = points.findIndex(({ accepted, refused }) => accepted > 0 || (refused ?? 0) > 0);
  const from = Math.min(Math.max(first, 0), Math.max(points.length - POINTS_MIN[unit], 0));
  return from === 0 ? of : { ...of, points: points.slice(from) };
}
