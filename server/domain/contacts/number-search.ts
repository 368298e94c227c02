import { canonicalHandle, equivalentHandles, HANDLE_PATTERN } from "@/server/adapters/whatsapp/handles";

/** Fewer digits than this are part of too many numbers. */
const NUMBER_DIGITS_MIN = 6;
/** An E.164 number has fifteen digits; a prefix for dialling abroad can stand before them. */
const NUMBER_DIGITS_MAX = 20;

/** What people put before a number when they copy it from elsewhere. */
const SCHEME = /^(?:tel:|whatsapp:|(?:https?:\/\/)?wa\.me\/)/i;
/** Digits and what is written between them: any white space, dashes, brackets, dots, slashes. */
const SPELLED = /^[([]?\+?[\d\s()[\].,/\p{Pd}]+$/u;

/**
 * The digits that a text can stand for, where it is a number in any spelling, of whatever country: with `+`, `00` or `011`
 * before the country's code, with a national 0 that may have to go, or without the country's code. Empty where it is no
 * number, or too short to look for.
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

/** The number in E.164 without the plus sign, from any spelling with its country's code; null where it is none. */
export function handleSpelled(text: string): string | null {
  const digits = plainSpelling(text)?.replace(/\(0\)/, "").replace(/\D/g, "").replace(/^00/, "") ?? "";
  return HANDLE_PATTERN.test(digits) ? digits : null;
}

/** Null where it isn't spelled like a number. */
function plainSpelling(text: string): string | null {
  // Phones put invisible marks of direction around numbers that are copied from them.
  const visible = text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .trim();
  const plain = visible.replace(SCHEME, "");
  return SPELLED.test(plain) ? plain : null;
}

/** The whole numbers, with their country's code, that a text can stand for. Empty where it can be none. */
export function numbersSpelled(text: string): readonly string[] {
  const forms = spelledDigits(text).map((form) => form.replace(/^00/, ""));
  return [...new Set(forms)].filter((form) => HANDLE_PATTERN.test(form));
}

/** Fewer digits than this begin too many numbers: a country's code alone has up to three. */
const PREFIX_DIGITS_MIN = 3;
/** Where the mobile digit of these countries stands, from the beginning: 52 1…, 54 9…, 55 11 9…. */
const MOBILE_DIGIT_AT: Readonly<Record<string, number>> = { "52": 2, "54": 2, "55": 4 };

/** The digits that numbers begin with, where a text is the beginning of a number with its country's code; else null. */
export function spelledBeginning(text: string): string | null {
  const digits =
    plainSpelling(text)
      ?.replace(/\D/g, "")
      .replace(/^(?:00|011)/, "") ?? "";
  const isOne = digits.length >= PREFIX_DIGITS_MIN && digits.length <= NUMBER_DIGITS_MAX;
  return isOne && !digits.startsWith("0") ? digits : null;
}

/** Beginnings of canonical numbers among which are all that begin so in any written form. Which are meant says `beginsWith`. */
export function canonicalBeginnings(digits: string): readonly string[] {
  const at = MOBILE_DIGIT_AT[digits.slice(0, 2)];
  return at === undefined || digits.length <= at
    ? [digits]
    : [digits, digits.slice(0, at) + digits.slice(at + 1)];
}

/** Whether some written form of a number begins with the digits. */
export function beginsWith(canonical: string, digits: string): boolean {
  return equivalentHandles(canonical).some((form) => form.startsWith(digits));
}

/** Where the digit stands, from the end, that a number of these countries can be written with or without. */
const MOBILE_DIGIT_PLACES = [9, 11] as const;

/**
 * Ends of canonical numbers among which are all that the digits can be the end of, in any written form. Which of the
 * numbers found are meant says `endsWith`.
 */
export function canonicalEnds(digits: string): readonly string[] {
  const shortened = MOBILE_DIGIT_PLACES.filter((place) => digits.length >= place).map((place) => {
    const at = digits.length - place;
    return digits.slice(0, at) + digits.slice(at + 1);
  });
  const ends = [digits, canonicalHandle(digits), ...shortened];
  return [...new Set(ends)].filter((end) => end.length >= NUMBER_DIGITS_MIN);
}

/** Whether some written form of a number ends with the digits. */
export function endsWith(canonical: string, digits: string): boolean {
  return equivalentHandles(canonical).some((form) => form.endsWith(digits));
}
