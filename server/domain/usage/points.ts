/** The available ranges, up to now: by hour, or by day if there would be too many hours. */
export const RANGES = {
  "24h": { unit: "hour", count: 24 },
  "7d": { unit: "hour", count: 7 * 24 },
  "30d": { unit: "day", count: 30 },
  "90d": { unit: "day", count: 90 },
} as const satisfies Record<string, { unit: "hour" | "day"; count: number }>;

export type Range = keyof typeof RANGES;

export const HOUR_MS = 3_600_000;

/** Hours are in UTC everywhere. */
export function hourOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);
}

export const hoursLater = (hour: Date, hours: number) => new Date(hour.getTime() + hours * HOUR_MS);

/** The start of each point of a range, and the end of the last one. */
export interface Points {
  readonly starts: readonly Date[];
  readonly until: Date;
}

/**
 * Returns the points of a range, the current one last. All consist of whole UTC hours. A day has those hours that start
 * on it in the zone: 23 to 25 on days when clocks change, and from 00:30 to 00:30 if the zone has a half-hour offset.
 */
export function pointsOf(range: Range, zone: string, now: Date): Points {
  const { unit, count } = RANGES[range];
  const until = hoursLater(hourOf(now), 1);
  const starts = unit === "hour" ? lastHours(until, count) : lastDays(until, count, zone);
  return { starts, until };
}

function lastHours(until: Date, count: number): Date[] {
  return Array.from({ length: count }, (_, index) => hoursLater(until, index - count));
}

function lastDays(until: Date, count: number, zone: string): Date[] {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });
  const starts: Date[] = [];
  let date = "";
  // One day more than shown, because only the end of the first may be visible.
  for (const hour of lastHours(until, (count + 2) * 24)) {
    const dateOfHour = format.format(hour);
    if (dateOfHour !== date) starts.push(hour);
    date = dateOfHour;
  }
  return starts.slice(-count);
}

/** Returns the index of the point with that hour; null before the first and after the last. */
export function pointAt({ starts, until }: Points, hour: Date): number | null {
  if (hour >= until) return null;
  const index = starts.findLastIndex((start) => start <= hour);
  return index < 0 ? null : index;
}

/** Returns whether the text is the name of a time zone (IANA), such as `Europe/Berlin`. */
export function isZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
