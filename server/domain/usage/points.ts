/** The ranges up to now: by hour, or by day if there would be too many hours. */
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

/** A range up to now, or a span between two times. */
export type Period = Range | { readonly since: Date; readonly until: Date };

/** The points of a period, by hour or by day. */
export interface PeriodPoints extends Points {
  readonly unit: "hour" | "day";
}

/** A longer span is divided into days. */
const HOURS_MAX = 7 * 24;

/**
 * Returns the points of a period, oldest first, until the end of the current hour at most. All consist of whole UTC
 * hours, which include the first and last moment of a span. A day has those hours that start on it in the zone: 23 to
 * 25 on days when clocks change, and from 00:30 to 00:30 if the zone has a half-hour offset. The first and the last day
 * of a span have only its hours.
 */
export function pointsOf(period: Period, zone: string, now: Date): PeriodPoints {
  const end = hoursLater(hourOf(now), 1);
  if (typeof period === "string") {
    const { unit, count } = RANGES[period];
    const starts = unit === "hour" ? lastHours(end, count) : lastDays(end, count, zone);
    return { unit, starts, until: end };
  }
  const until = period.until < end ? hoursLater(hourOf(new Date(period.until.getTime() - 1)), 1) : end;
  const hours = lastHours(until, hoursBetween(hourOf(period.since), until));
  if (hours.length <= HOURS_MAX) return { unit: "hour", starts: hours, until };
  return { unit: "day", starts: dayStarts(hours, zone), until };
}

const hoursBetween = (since: Date, until: Date) => Math.round((until.getTime() - since.getTime()) / HOUR_MS);

/** Returns the period before, of the same length, as one point. Of the current hour, only what is over counts. */
export function previousOf({ starts, until }: Points, now: Date): Points {
  const first = starts[0] ?? until;
  const length = hoursBetween(first, until < now ? until : now);
  return { starts: [hoursLater(first, -Math.max(1, length))], until: first };
}

function lastHours(until: Date, count: number): Date[] {
  return Array.from({ length: count }, (_, index) => hoursLater(until, index - count));
}

/** From one day more than is returned, because only the end of the first may be there. */
function lastDays(until: Date, count: number, zone: string): Date[] {
  return dayStarts(lastHours(until, (count + 2) * 24), zone).slice(-count);
}

/** Returns the first of the hours, and each that starts a day in the zone. */
function dayStarts(hours: readonly Date[], zone: string): Date[] {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });
  let date = "";
  return hours.filter((hour) => {
    const dateOfHour = format.format(hour);
    if (dateOfHour === date) return false;
    date = dateOfHour;
    return true;
  });
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
