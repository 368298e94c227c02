import fc from "fast-check";
import { expect, test } from "vitest";
import { createByteWindow } from "./flood";

test("takes bytes until the limit, and the rest when as many are a minute old", () => {
  let now = 100;
  const window = createByteWindow(() => now);
  expect(window.take(60, 100)).toBeNull();
  now = 130;
  expect(window.take(40, 100)).toBeNull();
  expect(window.take(1, 100)).toBe(31);
  expect(window.take(70, 100)).toBe(61);
  now = 161;
  expect(window.take(61, 100)).toBe(30);
  expect(window.take(60, 100)).toBeNull();
});

test("never takes more than the limit in any 60 seconds, and takes after the seconds that it named", () => {
  const requests = fc.array(fc.tuple(fc.nat(90), fc.integer({ min: 1, max: 50 })), { maxLength: 60 });
  fc.assert(
    fc.property(requests, (asked) => {
      let now = 0;
      const window = createByteWindow(() => now);
      const taken: { at: number; bytes: number }[] = [];
      for (const [wait, bytes] of asked) {
        now += wait;
        const seconds = window.take(bytes, 50);
        now += seconds ?? 0;
        expect(seconds === null ? null : window.take(bytes, 50)).toBeNull();
        taken.push({ at: now, bytes });
        const within = taken.filter(({ at }) => at >= now - 60);
        expect(within.reduce((sum, one) => sum + one.bytes, 0)).toBeLessThanOrEqual(50);
      }
    }),
  );
});
