import { hashPassword, verifyPassword } from "better-auth/crypto";
import { WaypostError } from "../errors";

/** Hashes and verifies passwords. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Returns true if the hash was made from the password. */
  verify(kept: { readonly hash: string; readonly password: string }): Promise<boolean>;
}

/** better-auth's default: scrypt with a salt. A hash takes a tenth of a second on one core. */
export const SCRYPT_PASSWORDS: Passwords = { hash: hashPassword, verify: verifyPassword };

export const HASHING_LIMITS = {
  /** Node has four threads for hashing, files and name lookups. The other threads stay free. */
  atOnce: 2,
  waiting: 20,
  /** Maximum number of requests from unknown browsers in one network, running and waiting. */
  ofNetwork: 6,
} as const;
const RETRY_AFTER_SECONDS = "2";

/** The sender of a request that hashes a password. */
export interface Caller {
  /** Null if the address isn't known. */
  readonly network: string | null;
  /** True if someone has signed in with this browser before, to any account. */
  readonly isKnownBrowser: boolean;
}

/** Password hashing with limited concurrency in a process. Its methods throw `unavailable` if the queue is full. */
export interface LimitedPasswords extends Passwords {
  /** Does the work of a request that hashes a password, including its queries, when its turn comes. */
  admit<T>(caller: Caller, work: () => Promise<T>): Promise<T>;
}

/**
 * Limits password hashing: two are hashed at the same time in this process, and twenty wait, so that anonymous sign-ins
 * can't take the processor or the database connections from everything else. Further requests get `unavailable`.
 */
export function limitPasswords(passwords: Passwords): LimitedPasswords {
  const hashInTurn = createHashingQueue();
  return {
    hash: (password) => hashInTurn(() => passwords.hash(password)),
    verify: (kept) => hashInTurn(() => passwords.verify(kept)),
    admit: createAdmission(),
  };
}

/**
 * Known browsers have their own queue, which unknown ones can't fill. One network can't fill the queue of unknown
 * browsers.
 */
function createAdmission(): LimitedPasswords["admit"] {
  const [known, strangers] = [createHashingQueue(), createHashingQueue()];
  const inside = new Map<string, number>();
  return async ({ network, isKnownBrowser }, work) => {
    if (isKnownBrowser) return known(work);
    const name = network ?? "";
    const count = inside.get(name) ?? 0;
    if (count >= HASHING_LIMITS.ofNetwork) throw tooBusy();
    inside.set(name, count + 1);
    try {
      return await strangers(work);
    } finally {
      const left = (inside.get(name) ?? 1) - 1;
      if (left === 0) inside.delete(name);
      else inside.set(name, left);
    }
  };
}

/** Runs hashing in order of arrival, with the limits of `HASHING_LIMITS`. */
function createHashingQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  const { atOnce, waiting } = HASHING_LIMITS;
  const queue: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < atOnce) running += 1;
    else if (queue.length < waiting) await new Promise<void>((resolve) => queue.push(resolve));
    else throw tooBusy();
    try {
      return await work();
    } finally {
      // Passes the place to the next in the queue, or frees it.
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

function tooBusy(): WaypostError {
  return new WaypostError("unavailable", {
    message: "Too many people are signing in right now. Wait a few seconds, then try again.",
    headers: { "Retry-After": RETRY_AFTER_SECONDS },
  });
}
