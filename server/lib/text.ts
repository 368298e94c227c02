import { z } from "zod";
import { INVISIBLE, INVISIBLE_OR_FORMAT } from "./invisible-characters";

/** What nobody sees, or what turns letters around, halves of characters and line breaks among it. */
const UNFIT_FOR_NAMES = new RegExp(String.raw`[${INVISIBLE_OR_FORMAT}\p{Cs}\p{Zl}\p{Zp}]`, "u");

/** Those of them that writing needs, where they stand: what is seen would be another word or picture without them. */
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
 * A name that people give to something: 1 to 100 code points, trimmed, spaces within it one at a time, and none of what can't
 * be seen, so that a name can be told from others and typed again.
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

/** Whether nobody would see anything of the text. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

/** Length in Unicode code points, as JSON Schema counts it. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The text as PostgreSQL can store it: it takes neither NUL nor lone surrogates. Nothing else is touched. */
export function storableText(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
