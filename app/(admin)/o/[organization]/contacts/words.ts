import type { ContactDetail } from "./types";

/** A number as people write it. */
export function spelled(number: string): string {
  return `+${number}`;
}

/** What a contact is called where there is room for one thing only. */
export function titleOf({ name, identities, erasedAt, mergedInto }: ContactDetail): string {
  if (erasedAt !== null) return "Erased contact";
  if (name !== null) return name;
  const [first] = identities;
  if (first !== undefined) return first.kind === "whatsapp" ? spelled(first.handle) : first.handle;
  return mergedInto === null ? "Contact without a name" : "Merged contact";
}
