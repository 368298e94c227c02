const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Of a text what people see, as a page shows it: white space is one space, and what has no picture is left out. */
export function seenText(text: string): string {
  return text.normalize("NFC").replace(/\s+/gu, " ").replace(UNSEEN, "").replace(/ +/g, " ").trim();
}
