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
  /** Requests of strangers from one network, running and waiting. */
  ofNetwork: 6,
} as const;
const RETRY_AFTER_SECONDS = "2";

/** Who sends a request that hashes a password. */
export interface Caller {
  /** Null where the address isn't known. */
  readonly network: string | null;
  /** Whether somebody has signed in with this browser before, to whichever account. */
  readonly isKnownBrowser: boolean;
}

/** Passwords of which a process hashes few at once. Its methods throw `unavailable` for what would wait beyond the limit. */
export interface LimitedPasswords extends Passwords {
  /** Does the work of a request that hashes a password, queries included, in its turn. */
  admit<T>(caller: Caller, work: () => Promise<T>): Promise<T>;
}

/**
 * Two passwords are hashed at once in this process, and twenty wait, so that anonymous sign-ins can't take the processor or
 * the database's connections from everything else. Whoever would wait beyond that gets `unavailable`.
 */
export function limitPasswords(passwords: Passwords): LimitedPasswords {
  const hashInTurn = createHashingQueue();
  return {
    hash: (password) => hashInTurn(() => passwords.hash(password)),
    verify: (kept) => hashInTurn(() => passwords.verify(kept)),
    admit: createAdmission(),
  };
}

/** Known browsers wait in a queue of their own, which strangers can't fill; one network can't fill that of strangers. */
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

/** Runs hashing in order of arrival, with as many at once and waiting as `HASHING_LIMITS` says. */
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
      // The place goes on to the next, or is given up.
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
