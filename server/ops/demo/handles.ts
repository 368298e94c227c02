import { randomInt } from "node:crypto";

/** Digits before the last five. Germany's mobile numbers: one written form each. */
const GERMAN_MOBILE = "49151";
const BRAZILIAN_MOBILE = "5511";

/** The simulator gives recipients that end in 99NNN an outcome of its own; all others read what they get. */
const SPECIAL_SUFFIX = /99[0-9]{3}$/;

/** So many different new numbers, which end in `read` in the simulator. */
export function newHandles(count: number): string[] {
  const handles = new Set<string>();
  while (handles.size < count) {
    const handle = `${GERMAN_MOBILE}${digits(8)}`;
    if (!SPECIAL_SUFFIX.test(handle)) handles.add(handle);
  }
  return [...handles];
}

/** A new Brazilian mobile number in both of its written forms: with the ninth digit, and without. */
export function newTwoFormNumber(): { long: string; short: string } {
  for (;;) {
    const subscriber = `${randomInt(6, 10)}${digits(7)}`;
    const long = `${BRAZILIAN_MOBILE}9${subscriber}`;
    if (!SPECIAL_SUFFIX.test(long)) return { long, short: `${BRAZILIAN_MOBILE}${subscriber}` };
  }
}

/** Random decimal digits, the first of them not zero. */
export function digits(count: number): string {
  return String(randomInt(10 ** (count - 1), 10 ** count));
}
