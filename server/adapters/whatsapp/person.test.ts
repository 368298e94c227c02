import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { identitiesOf, isNamed, personNamed } from "./person";

const USER = "US.13491208655302741918";
const PARENT = "US.ENT.11815799212886844830";

describe("what names a person", () => {
  test("is sorted by its shape, wherever it stood", () => {
    const person = { number: "16505551234", userId: USER, parentUserId: PARENT };
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.values(person), { minLength: 3 }), (names) => {
        expect(personNamed(...names, undefined, null, "")).toEqual(person);
      }),
    );
  });

  test.each([
    "",
    "+16505551234",
    "0165055512",
    "us.1349",
    "US.",
    "US.13-49",
    "US.ENT.",
    `US.${"1".repeat(129)}`,
  ])("%s has none of the shapes", (name) => {
    expect(isNamed(personNamed(name))).toBe(false);
  });

  test("is found under one form for all spellings of a number", () => {
    const [long] = identitiesOf(personNamed("5511987654321"));
    const [short] = identitiesOf(personNamed("551187654321"));
    expect(long?.canonical).toBe(short?.canonical);
  });
});
