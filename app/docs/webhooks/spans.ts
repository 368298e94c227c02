const UNITS = [
  { seconds: 3_600, unit: "hour" },
  { seconds: 60, unit: "minute" },
  { seconds: 1, unit: "second" },
] as const;

/** Returns a duration such as `30 minutes`, in the largest unit that divides it. */
export function spanWords(seconds: number): string {
  const entry = UNITS.find((one) => seconds % one.seconds === 0) ?? UNITS[2];
  const count = seconds / entry.seconds;
  return `${count} ${entry.unit}${count === 1 ? "" : "s"}`;
}

const HOUR_SECONDS = 3_600;

/** Returns a duration such as `3 days and 4 hours`, to the hour. */
export function daysAndHours(seconds: number): string {
  const hours = Math.round(seconds / HOUR_SECONDS);
  const days = Math.floor(hours / 24);
  const parts = [
    [days, "day"],
    [hours % 24, "hour"],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`)
    .join(" and ");
}
