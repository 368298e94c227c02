/** A key's counts for one hour, or for 24 hours. */
export interface Counts {
  readonly startsAt: string;
  readonly accepted: number;
  readonly failed: number;
  /** Null if refusals aren't counted. */
  readonly refused: number | null;
}

const HOURS = 24;

/** Groups consecutive hours into spans of 24 that end with the last hour. Incomplete spans are dropped. */
export function daysOf(hours: readonly Counts[]): Counts[] {
  const days: Counts[] = [];
  for (let end = hours.length; end >= HOURS; end -= HOURS) {
    const span = hours.slice(end - HOURS, end);
    const sum = (count: (hour: Counts) => number) => span.reduce((total, hour) => total + count(hour), 0);
    days.unshift({
      startsAt: span[0]?.startsAt ?? "",
      accepted: sum(({ accepted }) => accepted),
      failed: sum(({ failed }) => failed),
      refused: sum(({ refused }) => refused ?? 0),
    });
  }
  return days;
}
