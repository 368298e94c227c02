import type { ContactDetail } from "./types";

/** Formats a number as people write it. */
export function spelled(number: string): string {
  return `+${number}`;
}

/** Returns a contact's title for places with room for one value only. */
export function titleOf({ name, identities, erasedAt, mergedInto }: ContactDetail): string {
  if (erasedAt !== null) return "Erased contact";
  if (name !== null) return name;
  const [first] = identities;
  if (first !== undefined) return first.kind === "whatsapp" ? spelled(first.handle) : first.handle;
  return mergedInto === null ? "Contact without a name" : "Merged contact";
}
