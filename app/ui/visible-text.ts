import { INVISIBLE_OR_FORMAT } from "@/server/lib/invisible-characters";

const INVISIBLE_CHARACTERS = new RegExp(`[${INVISIBLE_OR_FORMAT}]`, "gu");

/** Returns the text as people see it on a page: white space becomes one space, and invisible characters are removed. */
export function visibleText(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\s+/gu, " ")
    .replace(INVISIBLE_CHARACTERS, "")
    .replace(/ +/g, " ")
    .trim();
}
