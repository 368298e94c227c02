import { randomInt } from "node:crypto";

/** One number in its two written forms. */
export interface TwoForms {
  readonly long: string;
  readonly short: string;
}

/** New Brazilian mobile numbers, with the ninth digit and without; the customer behind each reads all messages. */
export function newTwoFormNumbers(count: number): TwoForms[] {
  // The simulator reserves numbers ending in 99NNN for special outcomes; these end in less than 90000.
  const start = randomInt(700, 799) * 100_000 + randomInt(10_000, 90_000 - count);
  return Array.from({ length: count }, (_, index) => ({
    long: `55119${start + index}`,
    short: `5511${start + index}`,
  }));
}
