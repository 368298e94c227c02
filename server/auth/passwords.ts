import { hashPassword, verifyPassword } from "better-auth/crypto";
import { WaypostError } from "../errors";

/** How a password is kept. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** True for the password that the hash was made of. */
  verify(kept: { readonly hash: string; readonly password: string }): Promise<boolean>;
}

/** better-auth's own way: scrypt with a salt, a tenth of a second on a core for each. */
export const SCRYPT_PASSWORDS: Passwords = { hash: hashPassword, verify: verifyPassword };

export const HASHING_LIMITS = {
  /** Of the four threads that Node has for them, for files and for names: the others stay free. */
  atOnce: 2,
  waiting: 20,
} as const;
const RETRY_AFTER_SECONDS = "2";

/**
 * Passwords of which few are hashed at once in this process, and few wait, so that anonymous sign-ins can't take the
 * processor from everything else.
 * @throws WaypostError (both of its methods) `unavailable` for what would wait beyond that.
 */
export function limitPasswords(passwords: Passwords): Passwords {
  const { atOnce, waiting } = HASHING_LIMITS;
  const queue: (() => void)[] = [];
  let running = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < atOnce) running += 1;
    else if (queue.length < waiting) await new Promise<void>((resolve) => queue.push(resolve));
    else throw tooBusy();
    try {
      return await work();
    } finally {
      // The place goes on to the next, or is given up.
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  }

  return {
    hash: (password) => inTurn(() => passwords.hash(password)),
    verify: (kept) => inTurn(() => passwords.verify(kept)),
  };
}

function tooBusy(): WaypostError {
  return new WaypostError("unavailable", {
    message: "Too many people are signing in right now. Wait a few seconds, then try again.",
    headers: { "Retry-After": RETRY_AFTER_SECONDS },
  });
}
