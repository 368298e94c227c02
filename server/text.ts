import { z } from "zod";

/** A name that people give to something: 1 to 100 code points, trimmed, without control characters. */
export const nameSchema = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}\p{Cs}]{1,100}$/u, "must be 1 to 100 characters, without control characters");

/** White space, and what no font shows: control characters, zero-width ones (Unicode), and Braille's empty cell. */
const INVISIBLE = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether nobody would see anything of the text. */
export function isBlank(text: string): boolean {
  return INVISIBLE.test(text);
}

/** Length as the contract counts it: in Unicode code points, which is also how JSON Schema counts. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The text as PostgreSQL can store it: it takes neither NUL nor lone surrogates. Nothing else is touched. */
export function storableText(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
