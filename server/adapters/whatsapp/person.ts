import type { IdentityKind } from "@/db/schema";
import { canonicalHandle, HANDLE_PATTERN } from "./handles";

/** The names that WhatsApp uses for one person. Since 2026 the number may be missing. */
export interface Person {
  /** E.164 without the plus sign. */
  readonly number: string | null;
  /** WhatsApp's id of the person for one business portfolio (BSUID), such as `US.13491208655302741918`. */
  readonly userId: string | null;
  /** The person's id for the parent portfolio, such as `US.ENT.11815799212886844830`. */
  readonly parentUserId: string | null;
}

/** A name in stored form. */
export interface Identity {
  readonly kind: IdentityKind;
  readonly handle: string;
  /** The form that represents all spellings of it. */
  readonly canonical: string;
}

const USER_ID = /^[A-Z]{2}\.[0-9A-Za-z]{1,128}$/;
const PARENT_USER_ID = /^[A-Z]{2}\.ENT\.[0-9A-Za-z]{1,128}$/;

/** Either of the person's ids. */
export const USER_ID_PATTERN = /^[A-Z]{2}\.(?:ENT\.)?[0-9A-Za-z]{1,128}$/;

/**
 * Builds a person from possible names, sorted by their form, whichever field they came from. Text of another form is
 * dropped.
 */
export function personNamed(...names: readonly (string | null | undefined)[]): Person {
  const first = (pattern: RegExp) =>
    names.find((name) => typeof name === "string" && pattern.test(name)) ?? null;
  return { number: first(HANDLE_PATTERN), userId: first(USER_ID), parentUserId: first(PARENT_USER_ID) };
}

/** Returns the person's names, the number first. */
export function identitiesOf(person: Person): readonly Identity[] {
  const { number, userId, parentUserId } = person;
  return [
    ...(number === null
      ? []
      : [{ kind: "whatsapp", handle: number, canonical: canonicalHandle(number) } as const]),
    ...(userId === null ? [] : [{ kind: "bsuid", handle: userId, canonical: userId } as const]),
    ...(parentUserId === null
      ? []
      : [{ kind: "parent_bsuid", handle: parentUserId, canonical: parentUserId } as const]),
  ];
}

/** Returns the stored form of one name, by its form. @throws Error for text that names nobody. */
export function identityNamed(name: string): Identity {
  const [identity] = identitiesOf(personNamed(name));
  if (!identity) throw new Error("The name is neither a number nor an id of WhatsApp");
  return identity;
}

/** Returns true if the person has at least one name. */
export function isNamed(person: Person): boolean {
  return identitiesOf(person).length > 0;
}
