import type { Summary } from "./usage-filter";

type Unit = Summary["unit"];

/** Labels for a point of time: short below a chart, with the date in a table. */
const FORMATS = {
  hour: {
    tick: new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }),
    full: new Intl.DateTimeFormat("en-GB", {
      weekday: "short",
      day: "numeric",
      month: "short",
      hour: "2-digit",
      minute: "2-digit",
    }),
  },
  day: {
    tick: new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" }),
    full: new Intl.DateTimeFormat("en-GB", {
      weekday: "short",
      day: "numeric",
      month: "short",
      year: "numeric",
    }),
  },
} as const satisfies Record<Unit, { tick: Intl.DateTimeFormat; full: Intl.DateTimeFormat }>;

/** With more hours than this, only the start of each day is labelled below a chart. */
const HOURS_LABELLED_MAX = 72;
/** With more than this, a label a quarter of a day. */
const HOURS_ALL_LABELLED_MAX = 24;
const QUARTER_HOURS = 6;

/** The points that are labelled below a chart, by their start; null if it labels as many as fit. */
export function ticksOf({ unit, points }: Pick<Summary, "unit" | "points">): string[] | null {
  if (unit === "day" || points.length <= HOURS_ALL_LABELLED_MAX) return null;
  const every = points.length <= HOURS_LABELLED_MAX ? QUARTER_HOURS : 24;
  return points.map(({ startsAt }) => startsAt).filter((at) => new Date(at).getHours() % every === 0);
}

/** Labels an hour by its time, or by its date if it starts a day. */
export function tickWords(unit: Unit): (startsAt: string) => string {
  return (startsAt) => {
    const date = new Date(startsAt);
    const isDay = unit === "day" || date.getHours() === 0;
    return FORMATS[isDay ? "day" : "hour"].tick.format(date);
  };
}

export function pointWords(unit: Unit): (startsAt: string) => string {
  const { full } = FORMATS[unit];
  return (startsAt) => full.format(new Date(startsAt));
}

const span = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});

/** Formats `19 Nov 2026, 21:00 – 26 Nov 2026, 20:03`, for example. */
export const spanWords = (since: string, until: string) => span.formatRange(new Date(since), new Date(until));

export const momentWords = (at: string) => span.format(new Date(at));
