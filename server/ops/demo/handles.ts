import { randomInt } from "node:crypto";

/** Digits before the last five. German mobile numbers have one written form. */
const GERMAN_MOBILE = "49151";
const BRAZILIAN_MOBILE = "5511";

/** The simulator has special outcomes for recipients that end in 99NNN. All others read their messages. */
const SPECIAL_SUFFIX = /99[0-9]{3}$/;

/** Returns this many different new numbers, which have the outcome `read` in the simulator. */
export function newHandles(count: number): string[] {
  const handles = new Set<string>();
  while (handles.size < count) {
    const handle = `${GERMAN_MOBILE}${digits(8)}`;
    if (!SPECIAL_SUFFIX.test(handle)) handles.add(handle);
  }
  return [...handles];
}

/** Returns a new Brazilian mobile number in both of its written forms: with the ninth digit, and without. */
export function newTwoFormNumber(): { long: string; short: string } {
  for (;;) {
    const subscriber = `${randomInt(6, 10)}${digits(7)}`;
    const long = `${BRAZILIAN_MOBILE}9${subscriber}`;
    if (!SPECIAL_SUFFIX.test(long)) return { long, short: `${BRAZILIAN_MOBILE}${subscriber}` };
  }
}

/** Returns random decimal digits. The first isn't zero. */
export function digits(count: number): string {
  return String(randomInt(10 ** (count - 1), 10 ** count));
}
