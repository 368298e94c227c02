import { customerName } from "../shared/customer-name";
import type { ContactDetail } from "./types";

/** Returns a contact's title for places with room for one value only. */
export function titleOf({ name, identities, erasedAt, mergedInto }: ContactDetail): string {
  const isEmpty = name === null && identities.length === 0;
  if (erasedAt === null && mergedInto !== null && isEmpty) return "Merged contact";
  const handleOf = (isNumber: boolean) =>
    identities.find(({ kind }) => (kind === "whatsapp") === isNumber)?.handle ?? null;
  return customerName({
    name,
    number: handleOf(true),
    userId: handleOf(false),
    isErased: erasedAt !== null,
  });
}
