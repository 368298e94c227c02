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

/** Above this number of hours, the table below a chart lists days instead. */
export const HOURS_SHOWN_MAX = 24;

export function tickWords({ unit, points }: Pick<Summary, "unit" | "points">): (startsAt: string) => string {
  const format = FORMATS[points.length > HOURS_SHOWN_MAX ? "day" : unit].tick;
  return (startsAt) => format.format(new Date(startsAt));
}

export function pointWords(unit: Unit): (startsAt: string) => string {
  const { full } = FORMATS[unit];
  return (startsAt) => full.format(new Date(startsAt));
}
