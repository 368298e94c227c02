import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/** The prefix of every key. */
export const SECRET_PREFIX = "ak_live_";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 62^43 > 2^256 > 62^42. */
const RANDOM_DIGITS = 43;
const RANDOM_BYTES = 32;
/** 62^6 > 2^32 > 62^5. */
const CHECKSUM_DIGITS = 6;
const SHOWN_RANDOM_DIGITS = 4;
const SHOWN_LAST_DIGITS = 4;

/**
 * The pattern of a key, for secret scanners: a match whose last six characters are the checksum of the rest is a key.
 * Not anchored, so that it finds keys inside text.
 */
export const KEY_PATTERN = `${SECRET_PREFIX}[0-9A-Za-z]{${RANDOM_DIGITS + CHECKSUM_DIGITS}}`;

const WHOLE_KEY = new RegExp(`^${KEY_PATTERN}$`);

export interface NewSecret {
  /** The whole secret as the integrator sends it. Shown only once, never stored. */
  readonly secret: string;
  /** The stored hash. */
  readonly hash: Buffer;
  readonly displayPrefix: string;
  readonly lastFour: string;
}

/**
 * A new key of 256 random bits: `ak_live_`, 43 base62 digits, and six base62 digits of the CRC-32 (IEEE) of
 * everything before them. Digits are `0-9A-Za-z`, most significant first.
 */
export function generateSecret(): NewSecret {
  const random = BigInt(`0x${randomBytes(RANDOM_BYTES).toString("hex")}`);
  const body = SECRET_PREFIX + base62(random, RANDOM_DIGITS);
  const secret = body + checksum(body);
  return {
    secret,
    hash: hashSecret(secret),
    displayPrefix: secret.slice(0, SECRET_PREFIX.length + SHOWN_RANDOM_DIGITS),
    lastFour: secret.slice(-SHOWN_LAST_DIGITS),
  };
}

/** Returns whether the text has the form of a key and a correct checksum. Whether the key exists needs the database. */
export function isWellFormedSecret(text: string): boolean {
  return WHOLE_KEY.test(text) && checksum(text.slice(0, -CHECKSUM_DIGITS)) === text.slice(-CHECKSUM_DIGITS);
}

/** Returns the SHA-256, 32 bytes, that is stored and looked up. 256 random bits need no salt and no slow hash. */
export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_DIGITS);
}

function base62(value: bigint, digits: number): string {
  let rest = value;
  let text = "";
  for (let i = 0; i < digits; i += 1) {
    text = ALPHABET.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}
