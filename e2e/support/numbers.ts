import { randomInt } from "node:crypto";

/** One number in its two written forms. */
export interface TwoForms {
  readonly long: string;
  readonly short: string;
}

/** New Brazilian mobile numbers, with the ninth digit and without; the customer behind each reads what it gets. */
export function newTwoFormNumbers(count: number): TwoForms[] {
  // The simulator gives numbers that end in 99NNN outcomes of their own; these end in less than 90000.
  const start = randomInt(700, 799) * 100_000 + randomInt(10_000, 90_000 - count);
  return Array.from({ length: count }, (_, index) => ({
    long: `55119${start + index}`,
    short: `5511${start + index}`,
  }));
}
