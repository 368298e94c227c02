import { UNSEEN } from "@/server/lib/unseen";

const UNSEEN_CHARACTERS = new RegExp(`[${UNSEEN}]`, "gu");

/** Of a text what people see, as a page shows it: white space is one space, and what has no picture is left out. */
export function seenText(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\s+/gu, " ")
    .replace(UNSEEN_CHARACTERS, "")
    .replace(/ +/g, " ")
    .trim();
}
