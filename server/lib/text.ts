import { z } from "zod";
import { INVISIBLE, INVISIBLE_OR_FORMAT } from "./invisible-characters";

/** Invisible characters and characters that reverse the text direction, including lone surrogates and line breaks. */
const UNFIT_FOR_NAMES = new RegExp(String.raw`[${INVISIBLE_OR_FORMAT}\p{Cs}\p{Zl}\p{Zp}]`, "u");

/**
 * Invisible characters that writing systems need, in their valid positions. Without them, the visible word or picture
 * would change.
 */
const SHAPING = [
  // Joins emoji, such as a family of three.
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})/u,
  // Spells the region of a flag, such as Scotland.
  /(?<=\u{1f3f4})[\u{e0020}-\u{e007e}]+\u{e007f}/u,
  /(?<=[\p{L}\p{N}\p{P}\p{S}])\p{Variation_Selector}/u,
  // Joiners and non-joiners of scripts whose letters connect (Unicode, section 23.2).
  /(?<=[\p{sc=Arab}\p{sc=Syrc}\p{sc=Mong}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Khmr}\p{sc=Mymr}])[\u200c\u200d]/u,
];
const SHAPING_CHARACTERS = new RegExp(SHAPING.map(({ source }) => source).join("|"), "gu");

/**
 * A name that people give to something: 1 to 100 code points, trimmed, with single spaces and without invisible
 * characters, so that names can be told apart and typed again.
 */
export const nameSchema = z
  .string()
  .overwrite((name) => name.replace(/\p{Zs}+/gu, " ").trim())
  .regex(/^.{1,100}$/su, "must be 1 to 100 characters")
  .refine(
    (name) => !UNFIT_FOR_NAMES.test(name.replace(SHAPING_CHARACTERS, "")),
    "must be without control characters, line breaks and others that can't be seen",
  );

const BLANK = new RegExp(String.raw`^[\s${INVISIBLE}]*$`, "u");

/** Returns true if the text has no visible character. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

/** Returns the length in Unicode code points, as JSON Schema counts it. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Makes the text storable in PostgreSQL: removes NUL and replaces lone surrogates. Nothing else is changed. */
export function storableText(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
