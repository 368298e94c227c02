import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateSecret, hashSecret, isWellFormedSecret, KEY_PATTERN } from "@/server/domain/keys/secret";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** CRC-32 (IEEE 802.3, reflected), bit by bit: independent of the library that the program uses. */
function crc32BitByBit(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function valueOf(digits: string): number {
  return [...digits].reduce((value, digit) => value * 62 + ALPHABET.indexOf(digit), 0);
}

describe("generateSecret", () => {
  test("makes ak_live_, 43 digits, and six that are the CRC-32 of everything before them", () => {
    for (let i = 0; i < 200; i += 1) {
      const { secret } = generateSecret();
      expect(secret).toMatch(/^ak_live_[0-9A-Za-z]{49}$/);
      expect(valueOf(secret.slice(-6))).toBe(crc32BitByBit(secret.slice(0, -6)));
      expect(isWellFormedSecret(secret)).toBe(true);
    }
  });

  test("uses 256 bits: the digits stay below 2^256 and every one of them varies", () => {
    const bodies = Array.from({ length: 400 }, () => generateSecret().secret.slice(8, 51));
    for (const body of bodies) {
      const value = [...body].reduce((sum, digit) => sum * 62n + BigInt(ALPHABET.indexOf(digit)), 0n);
      expect(value < 2n ** 256n).toBe(true);
    }
    for (let place = 0; place < 43; place += 1) {
      expect(new Set(bodies.map((body) => body[place])).size).toBeGreaterThan(5);
    }
    expect(new Set(bodies).size).toBe(bodies.length);
  });

  test("what may be stored is the SHA-256, twelve first characters and the last four", () => {
    const made = generateSecret();
    expect(made.hash).toEqual(createHash("sha256").update(made.secret, "utf8").digest());
    expect(hashSecret(made.secret)).toEqual(made.hash);
    expect(made.secret.startsWith(made.displayPrefix)).toBe(true);
    expect(made.displayPrefix).toHaveLength(12);
    expect(made.secret.endsWith(made.lastFour)).toBe(true);
    expect(made.lastFour).toHaveLength(4);
  });
});

describe("isWellFormedSecret", () => {
  test("refuses a key in which any one character was changed", () => {
    const character = fc.constantFrom(..."0123456789ABCXYZabcxyz_- \n");
    fc.assert(
      fc.property(fc.nat({ max: 56 }), character, (place, other) => {
        const { secret } = generateSecret();
        const changed = secret.slice(0, place) + other + secret.slice(place + 1);
        expect(isWellFormedSecret(changed)).toBe(changed === secret);
      }),
      { numRuns: 500 },
    );
  });

  test("refuses a key with two neighbours swapped, cut short, lengthened or padded", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 55 }),
        fc.string({ minLength: 1, maxLength: 3 }),
        (place, extra) => {
          const { secret } = generateSecret();
          const swapped =
            secret.slice(0, place) +
            secret.charAt(place + 1) +
            secret.charAt(place) +
            secret.slice(place + 2);
          expect(isWellFormedSecret(swapped)).toBe(swapped === secret);
          expect(isWellFormedSecret(secret.slice(0, place))).toBe(false);
          expect(isWellFormedSecret(secret + extra)).toBe(false);
          expect(isWellFormedSecret(extra + secret)).toBe(false);
        },
      ),
    );
  });

  test("refuses arbitrary text", () => {
    fc.assert(fc.property(fc.string(), (text) => !isWellFormedSecret(text)));
  });

  test("is the checksum as published: a known key", () => {
    const body = `ak_live_${"0".repeat(42)}1`;
    let digits = "";
    for (let rest = crc32BitByBit(body); digits.length < 6; rest = Math.floor(rest / 62)) {
      digits = ALPHABET.charAt(rest % 62) + digits;
    }
    expect(isWellFormedSecret(body + digits)).toBe(true);
    expect(isWellFormedSecret(`ak_test_${(body + digits).slice(8)}`)).toBe(false);
  });
});

test("KEY_PATTERN finds a key inside text", () => {
  const { secret } = generateSecret();
  expect(`export KEY="${secret}" # prod`.match(new RegExp(KEY_PATTERN))?.[0]).toBe(secret);
});
