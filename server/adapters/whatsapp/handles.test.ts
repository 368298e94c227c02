import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalHandle, equivalentHandles, HANDLE_PATTERN } from "./handles";

describe("written forms of one number", () => {
  test.each([
    ["5511987654321", "551187654321"],
    ["5215512345678", "525512345678"],
    ["5491123456789", "541123456789"],
  ])("%s and %s are the same number", (long, short) => {
    expect(equivalentHandles(long)).toEqual([long, short]);
    expect(equivalentHandles(short)).toEqual([short, long]);
    expect(canonicalHandle(long)).toBe(canonicalHandle(short));
  });

  test.each(["551132654321", "4915112345678", "12025550123", "5511912345", "521551234567"])(
    "%s has one written form",
    (handle) => {
      expect(equivalentHandles(handle)).toEqual([handle]);
      expect(canonicalHandle(handle)).toBe(handle);
    },
  );

  test("every form of a number has the same forms and the same canonical one", () => {
    const handle = fc
      .tuple(fc.constantFrom("55", "52", "54", "49", "1"), fc.stringMatching(/^[0-9]{6,13}$/))
      .map(([country, rest]) => country + rest)
      .filter((candidate) => HANDLE_PATTERN.test(candidate));
    fc.assert(
      fc.property(handle, (given) => {
        for (const form of equivalentHandles(given)) {
          expect(HANDLE_PATTERN.test(form)).toBe(true);
          expect([...equivalentHandles(form)].sort()).toEqual([...equivalentHandles(given)].sort());
          expect(canonicalHandle(form)).toBe(canonicalHandle(given));
        }
      }),
    );
  });
});
