import { describe, expect, test } from "vitest";
import { canonicalHandle, equivalentHandles } from "@/server/adapters/whatsapp/handles";
import { canonicalEnds, endsWith, handleSpelled, spelledDigits } from "./number-search";

/** Returns whether the typed text finds the number. */
function finds(typed: string, handle: string): boolean {
  const canonical = canonicalHandle(handle);
  return spelledDigits(typed).some(
    (digits) => canonicalEnds(digits).some((end) => canonical.endsWith(end)) && endsWith(canonical, digits),
  );
}

const GERMAN = "491512345678";
const WITH_ZEROS = "4915120045678";

describe("a number is found", () => {
  test.each([
    "491512345678",
    "+491512345678",
    "+49 151 2345678",
    "+49 (0)151 2345-678",
    "+49 (0) 151 / 2345 678",
    "+49 0151 2345678",
    "00491512345678",
    "0049 151 2345678",
    "0049 (0)151 2345678",
    "011 49 151 2345678",
    "01512345678",
    "0151 2345 678",
    "0151/2345678",
    "0151.234.5678",
    "1512345678",
    "(0151) 2345678",
    "[0151] 2345678",
    "(+49) 151-2345678",
    "(+49) 0151 2345678",
    "(0049) 151 2345678",
    "151–2345–678",
    "0151\u00A02345\u202F678",
    "\u202A+49 151 2345678\u202C",
    "  +49 151 2345678  ",
    "tel:+491512345678",
    "TEL:+49-151-2345678",
    "whatsapp:+491512345678",
    "https://wa.me/491512345678",
    "wa.me/491512345678",
    "+４９ １５１ ２３４５６７８",
    "2345678",
    "345678",
  ])("by %j", (typed) => {
    expect(finds(typed, GERMAN)).toBe(true);
  });

  test.each([
    { country: "Brazil", handle: "5511987654321", typed: ["+55 11 98765-4321", "+55 11 8765-4321"] },
    { country: "Brazil", handle: "551187654321", typed: ["(11) 98765-4321", "11 8765-4321", "98765-4321"] },
    {
      country: "Brazil",
      handle: "5511987654321",
      typed: ["011 98765-4321", "87654321", "0055 11 98765 4321"],
    },
    { country: "Mexico", handle: "5215512345678", typed: ["+52 55 1234 5678", "+52 1 55 1234 5678"] },
    { country: "Mexico", handle: "525512345678", typed: ["1 55 1234 5678", "55 1234 5678", "12345678"] },
    { country: "Argentina", handle: "5491112345678", typed: ["+54 9 11 1234-5678", "+54 11 1234-5678"] },
    { country: "Argentina", handle: "541112345678", typed: ["9 11 1234-5678", "011 1234-5678"] },
    { country: "Italy", handle: "390612345678", typed: ["+39 06 1234 5678", "06 1234 5678", "612345678"] },
  ])("in $country ($handle) in whichever of its forms it is typed: $typed", ({ handle, typed }) => {
    expect(typed.filter((spelling) => !finds(spelling, handle))).toEqual([]);
  });

  test("never by digits that no written form of it ends with", () => {
    expect(finds("0152 2345678", GERMAN)).toBe(false);
    expect(finds("+43 151 2345678", GERMAN)).toBe(false);
    // The ninth digit is Brazil's: in other countries it is an ordinary digit.
    expect(finds("9 12345678", "4312345678")).toBe(false);
    expect(finds("1 5512345678", "495512345678")).toBe(false);
  });

  test("by every end of every written form, from six digits on", () => {
    for (const handle of ["5511987654321", "5215512345678", "5491112345678", GERMAN, WITH_ZEROS]) {
      for (const form of equivalentHandles(handle)) {
        for (let length = 6; length <= form.length; length++) {
          const end = form.slice(-length);
          expect(finds(end, handle), `${end} of ${handle}`).toBe(true);
        }
      }
    }
  });
});

test.each([
  "12345",
  "1 2 3 4 5",
  "order-4711",
  "wamid.HBgL",
  "",
  "+",
  "123456789012345678901",
  "1234567x",
  "++49151234567",
])("%j is no number to look for", (typed) => {
  expect(spelledDigits(typed)).toEqual([]);
});

test.each([
  ["+49 (0)151 2345-678", GERMAN],
  ["0049 151 2345678", GERMAN],
  ["tel:+49-151-2345678", GERMAN],
  [GERMAN, GERMAN],
  ["0151 2345678", null],
  ["+49 151", null],
  ["Ana", null],
  ["", null],
])("%j, with its country's code, is the number %j", (typed, handle) => {
  expect(handleSpelled(typed)).toBe(handle);
});
