/** Spans that can be asked for, up to now: by the hour, or by the day where hours would be too many. */
export const RANGES = {
  "24h": { unit: "hour", count: 24 },
  "7d": { unit: "hour", count: 7 * 24 },
  "30d": { unit: "day", count: 30 },
  "90d": { unit: "day", count: 90 },
} as const satisfies Record<string, { unit: "hour" | "day"; count: number }>;

export type Range = keyof typeof RANGES;

export const HOUR_MS = 3_600_000;

/** Hours are UTC's everywhere. */
export function hourOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);
}

export const hoursLater = (hour: Date, hours: number) => new Date(hour.getTime() + hours * HOUR_MS);

/** When each point of a range begins, and when the last one ends. */
export interface Points {
  readonly starts: readonly Date[];
  readonly until: Date;
}

/**
 * The points of a range, the present one last. All are made of whole UTC hours; a day has those that begin on it in the zone:
 * 23 to 25 where clocks change, and from 00:30 to 00:30 where the zone is half an hour off.
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
  // One day more than is shown: of the first, only the end may be seen.
  for (const hour of lastHours(until, (count + 2) * 24)) {
    const dateOfHour = format.format(hour);
    if (dateOfHour !== date) starts.push(hour);
    date = dateOfHour;
  }
  return starts.slice(-count);
}

/** In which point an hour lies; null before the first and behind the last. */
export function pointAt({ starts, until }: Points, hour: Date): number | null {
  if (hour >= until) return null;
  const index = starts.findLastIndex((start) => start <= hour);
  return index < 0 ? null : index;
}

/** Whether the text is the name of a time zone (IANA), such as `Europe/Berlin`. */
export function isZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
