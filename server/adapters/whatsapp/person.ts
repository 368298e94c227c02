import type { IdentityKind } from "@/db/schema";
import { canonicalHandle, HANDLE_PATTERN } from "./handles";

/** The names under which WhatsApp speaks of one person. Since 2026 the number may be missing. */
export interface Person {
  /** E.164 without the plus sign. */
  readonly number: string | null;
  /** WhatsApp's id of the person for one business portfolio (BSUID), such as `US.13491208655302741918`. */
  readonly userId: string | null;
  /** The same for the parent portfolio, such as `US.ENT.11815799212886844830`. */
  readonly parentUserId: string | null;
}

/** A name as it is stored. */
export interface Identity {
  readonly kind: IdentityKind;
  readonly handle: string;
  /** The form that all spellings of it share. */
  readonly canonical: string;
}

const USER_ID = /^[A-Z]{2}\.[0-9A-Za-z]{1,128}$/;
const PARENT_USER_ID = /^[A-Z]{2}\.ENT\.[0-9A-Za-z]{1,128}$/;

/** Sorts what claims to name a person by its shape, wherever it stood; what has none of the shapes is left out. */
export function personNamed(...names: readonly (string | null | undefined)[]): Person {
  const first = (pattern: RegExp) =>
    names.find((name) => typeof name === "string" && pattern.test(name)) ?? null;
  return { number: first(HANDLE_PATTERN), userId: first(USER_ID), parentUserId: first(PARENT_USER_ID) };
}

/** The person's names, the number first. */
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

/** Whether anything names the person. */
export function isNamed(person: Person): boolean {
  return identitiesOf(person).length > 0;
}
