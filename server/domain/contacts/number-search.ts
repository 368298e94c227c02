import { canonicalHandle, equivalentHandles, HANDLE_PATTERN } from "@/server/adapters/whatsapp/handles";

/** Fewer digits match too many numbers. */
const NUMBER_DIGITS_MIN = 6;
/** An E.164 number has fifteen digits, and an international dialling prefix may precede them. */
const NUMBER_DIGITS_MAX = 20;

/** Prefixes that come with a copied number. */
const SCHEME = /^(?:tel:|whatsapp:|(?:https?:\/\/)?wa\.me\/)/i;
/** Digits and separators: any white space, dashes, brackets, dots, slashes. */
const SPELLED = /^[([]?\+?[\d\s()[\].,/\p{Pd}]+$/u;

/**
 * Returns the digits that a text can stand for, if it is a number in any spelling, of any country: with `+`, `00` or
 * `011` before the country code, with a national 0 that may have to be removed, or without the country code. Empty if
 * it is no number, or too short to search.
 */
export function spelledDigits(text: string): readonly string[] {
  const plain = plainSpelling(text);
  if (plain === null) return [];
  const spellings = [
    plain,
    plain.replace(/\(0\)/, ""),
    plain.replace(/^([([]?(?:\+|00)\d{1,3}[)\]]?[\s./-]+)0/, "$1"),
  ];
  const digits = spellings.map((spelling) => spelling.replace(/\D/g, ""));
  const forms = digits.flatMap((form) => [
    form,
    form.replace(/^0+/, ""),
    ...(form.startsWith("011") ? [form.slice(3)] : []),
  ]);
  return [...new Set(forms)].filter(
    (form) => form.length >= NUMBER_DIGITS_MIN && form.length <= NUMBER_DIGITS_MAX,
  );
}

/** Returns the number in E.164 without the plus sign, from any spelling with a country code; null if it is none. */
export function handleSpelled(text: string): string | null {
  const digits = plainSpelling(text)?.replace(/\(0\)/, "").replace(/\D/g, "").replace(/^00/, "") ?? "";
  return HANDLE_PATTERN.test(digits) ? digits : null;
}

/** Null if it isn't spelled like a number. */
function plainSpelling(text: string): string | null {
  // Phones put invisible direction marks around copied numbers.
  const visible = text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .trim();
  const plain = visible.replace(SCHEME, "");
  return SPELLED.test(plain) ? plain : null;
}

/** Returns the whole numbers, with country code, that a text can stand for. Empty if it can't be one. */
export function numbersSpelled(text: string): readonly string[] {
  const forms = spelledDigits(text).map((form) => form.replace(/^00/, ""));
  return [...new Set(forms)].filter((form) => HANDLE_PATTERN.test(form));
}

/** Fewer digits start too many numbers: a country code alone has up to three. */
const PREFIX_DIGITS_MIN = 3;
/** Position of the mobile digit in these countries, from the start: 52 1…, 54 9…, 55 11 9…. */
const MOBILE_DIGIT_AT: Readonly<Record<string, number>> = { "52": 2, "54": 2, "55": 4 };

/** Returns the digits that numbers start with, if a text is the start of a number with country code; else null. */
export function spelledBeginning(text: string): string | null {
  const digits =
    plainSpelling(text)
      ?.replace(/\D/g, "")
      .replace(/^(?:00|011)/, "") ?? "";
  const isOne = digits.length >= PREFIX_DIGITS_MIN && digits.length <= NUMBER_DIGITS_MAX;
  return isOne && !digits.startsWith("0") ? digits : null;
}

/**
 * Returns prefixes of canonical numbers that cover all numbers starting with the digits in any written form.
 * `beginsWith` then selects the actual matches.
 */
export function canonicalBeginnings(digits: string): readonly string[] {
  const at = MOBILE_DIGIT_AT[digits.slice(0, 2)];
  return at === undefined || digits.length <= at
    ? [digits]
    : [digits, digits.slice(0, at) + digits.slice(at + 1)];
}

/** Returns whether any written form of a number starts with the digits. */
export function beginsWith(canonical: string, digits: string): boolean {
  return equivalentHandles(canonical).some((form) => form.startsWith(digits));
}

/** Position, from the end, of the digit that is optional in numbers of these countries. */
const MOBILE_DIGIT_PLACES = [9, 11] as const;

/**
 * Returns endings of canonical numbers that cover all numbers ending with the digits in any written form. `endsWith`
 * then selects the actual matches.
 */
export function canonicalEnds(digits: string): readonly string[] {
  const shortened = MOBILE_DIGIT_PLACES.filter((place) => digits.length >= place).map((place) => {
    const at = digits.length - place;
    return digits.slice(0, at) + digits.slice(at + 1);
  });
  const ends = [digits, canonicalHandle(digits), ...shortened];
  return [...new Set(ends)].filter((end) => end.length >= NUMBER_DIGITS_MIN);
}

/** Returns whether any written form of a number ends with the digits. */
export function endsWith(canonical: string, digits: string): boolean {
  return equivalentHandles(canonical).some((form) => form.endsWith(digits));
}
