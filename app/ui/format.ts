/** Formats `12,345`, for example. */
export const count = new Intl.NumberFormat("en");

/** Capitalizes the first letter, for the start of a sentence. */
export const upperFirst = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

const SECOND_MS = 1_000;
const UNITS = [
  { fromMs: 24 * 3_600 * SECOND_MS, unit: "d", unitMs: 24 * 3_600 * SECOND_MS },
  { fromMs: 3_600 * SECOND_MS, unit: "h", unitMs: 3_600 * SECOND_MS },
  { fromMs: 60 * SECOND_MS, unit: "min", unitMs: 60 * SECOND_MS },
  { fromMs: SECOND_MS, unit: "s", unitMs: SECOND_MS },
  { fromMs: 0, unit: "ms", unitMs: 1 },
] as const;

const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** Formats a duration in the largest unit that it fills: `430 ms`, `2.4 s`, `35 min`, `1.5 d`. */
export function duration(ms: number): string {
  const { unit, unitMs } = UNITS.find(({ fromMs }) => roundedTo(ms) >= fromMs) ?? { unit: "ms", unitMs: 1 };
  const amount = ms / unitMs;
  return `${(amount < 10 ? short : whole).format(amount)} ${unit}`;
}

/** Rounds to whole milliseconds, because 999.6 ms should display as a second. */
const roundedTo = (ms: number) => Math.round(ms);

const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

/** Formats a share such as `12.5%`; null if the total is zero. */
export function share(part: number, all: number): string | null {
  return all === 0 ? null : percent.format(part / all);
}

/** Returns what is left of a text that was continued while its beginning was being sent. A replaced text is left whole. */
export const withoutPrefix = (text: string, sent: string) =>
  text.startsWith(sent) ? text.slice(sent.length) : text;
