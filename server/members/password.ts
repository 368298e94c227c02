import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

const SALT_BYTES = 16;
const HASH_BYTES = 64;
const COST = { N: 16_384, r: 16, p: 1 } as const;
/** scrypt needs 128 · N · r bytes, which is Node's default limit exactly; twice that leaves room. */
const MEMORY_BYTES_MAX = 2 * 128 * COST.N * COST.r;

/**
 * Password hash in the form that better-auth keeps: `salt:hash` in hex, scrypt over the NFKC form of the password.
 * The salt goes into scrypt as its hex text, as better-auth does.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES).toString("hex");
  return `${salt}:${(await derive(password, salt)).toString("hex")}`;
}

/** True when the hash was made of this password. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [salt, expected] = hash.split(":");
  if (!salt || !expected) return false;
  const known = Buffer.from(expected, "hex");
  const given = await derive(password, salt);
  return known.length === given.length && timingSafeEqual(known, given);
}

function derive(password: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { ...COST, maxmem: MEMORY_BYTES_MAX };
    scrypt(password.normalize("NFKC"), salt, HASH_BYTES, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
