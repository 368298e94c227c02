import { hashPassword, verifyPassword } from "better-auth/crypto";

/** How a password is kept. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** True for the password that the hash was made of. */
  verify(kept: { readonly hash: string; readonly password: string }): Promise<boolean>;
}

/** better-auth's own way: scrypt with a salt, a tenth of a second on a core for each. */
export const SCRYPT_PASSWORDS: Passwords = { hash: hashPassword, verify: verifyPassword };
