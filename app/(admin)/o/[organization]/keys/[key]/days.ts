/** What a key did within an hour, or within 24 of them. */
export interface Counts {
  readonly startsAt: string;
  readonly accepted: number;
  readonly failed: number;
  /** Null where refusals aren't counted. */
  readonly refused: number | null;
}

const HOURS = 24;

/** Hours that follow one another, as spans of 24 up to the last of them: as many as fit, so that none is of a part only. */
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
