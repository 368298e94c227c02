/** A handle is an E.164 number without the plus sign. */
export const HANDLE_PATTERN = /^[1-9][0-9]{6,14}$/;

/**
 * Countries in which one mobile number has two written forms, with and without a mobile digit. WhatsApp responds with
 * one of them, whichever was dialled.
 */
const SPELLINGS = [
  // Brazil: the ninth digit before mobile numbers (which begin with 6 to 9).
  { long: /^(55[1-9][0-9])9([6-9][0-9]{7})$/, short: /^(55[1-9][0-9])([6-9][0-9]{7})$/, mobileDigit: "9" },
  // Mexico: the 1 after the country code, dropped in 2019.
  { long: /^(52)1([2-9][0-9]{9})$/, short: /^(52)([2-9][0-9]{9})$/, mobileDigit: "1" },
  // Argentina: the 9 after the country code.
  { long: /^(54)9([1-8][0-9]{9})$/, short: /^(54)([1-8][0-9]{9})$/, mobileDigit: "9" },
] as const satisfies readonly { long: RegExp; short: RegExp; mobileDigit: string }[];

/** Returns every written form of the number, starting with the given one. */
export function equivalentHandles(handle: string): readonly string[] {
  for (const { long, short, mobileDigit } of SPELLINGS) {
    const asLong = long.exec(handle);
    if (asLong) return [handle, `${asLong[1]}${asLong[2]}`];
    const asShort = short.exec(handle);
    if (asShort) return [handle, `${asShort[1]}${mobileDigit}${asShort[2]}`];
  }
  return [handle];
}

/** Returns the one form that represents all written forms of a number: the shortest. */
export function canonicalHandle(handle: string): string {
  return equivalentHandles(handle).reduce((short, form) => (form.length < short.length ? form : short));
}
