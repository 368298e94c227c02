import type { Services } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { networkOf } from "./network";
import type { KnownPlace } from "./places";

/** How many wrong attempts are allowed in a time span. */
interface Limit {
  readonly max: number;
  readonly seconds: number;
}

const WINDOW_SECONDS = 15 * 60;

/**
 * Wrong attempts allowed within fifteen minutes before further ones are slowed down. The same for accounts that don't
 * exist.
 */
export const ATTEMPTS_MAX = {
  /** From one unknown network, for all accounts: a whole office may share one. */
  network: 50,
  /** For one account from one unknown network. */
  accountFromNetwork: 10,
  /** For the password of one account, from all unknown places together. */
  account: 50,
  /** For its second factor, which has six digits: whoever gets that far knows the password. */
  secondFactor: 10,
  /** For the password of one account, from one browser or network that has signed in to it before. */
  accountFromPlace: 10,
  secondFactorFromPlace: 10,
} as const;

type AttemptKind = keyof typeof ATTEMPTS_MAX;

/**
 * Attempts allowed beyond that. No wait is longer than these seconds, so nobody can lock an owner out for long with
 * deliberate wrong attempts. The number of guesses stays small. An attacker who restarts every fifteen minutes has, per
 * day:
 * - at the password of one account: 2,496 from one unknown network, 9,408 from all unknown networks together.
 * - from one unknown network: 9,408 at all accounts together.
 * - at the second factor of one account: 1,728 from all unknown places together.
 */
export const SLOWED: Readonly<Record<AttemptKind, Limit>> = {
  network: { max: 3, seconds: 60 },
  accountFromNetwork: { max: 1, seconds: 60 },
  account: { max: 3, seconds: 60 },
  accountFromPlace: { max: 3, seconds: 60 },
  secondFactor: { max: 1, seconds: 120 },
  secondFactorFromPlace: { max: 1, seconds: 120 },
};

/** The origin and the account of an attempt; null if unknown. */
export interface Attempt {
  readonly address: string | null;
  readonly account: string | null;
  /** The known place, if the account knows the browser or the network. Only the place's own attempts then count. */
  readonly place?: KnownPlace | null;
  /** The secret being guessed. Default: the account's password. */
  readonly secret?: "account" | "secondFactor";
}

/**
 * Counts an attempt before it is made, so that many parallel ones can't all pass.
 * @returns a function that takes the count back, for a correct attempt.
 * @throws WaypostError `too_many_attempts`, with how long to wait.
 */
export async function countAttempt(services: Services, attempt: Attempt): Promise<() => Promise<void>> {
  const counted: string[] = [];
  const count = async (name: string, { max, seconds }: Limit) => {
    const one = await countOne(services, name, seconds);
    counted.push(one.subject);
    return { isOver: one.count > max, waitSeconds: one.waitSeconds };
  };
  const takeBack = async () => {
    await services.sql`
      update sign_in_attempts set count = greatest(count - 1, 0) where subject = any(${counted}::text[])`;
  };
  for (const [kind, name] of subjectsOf(attempt)) {
    let outcome = await count(`${kind}:${name}`, { max: ATTEMPTS_MAX[kind], seconds: WINDOW_SECONDS });
    if (outcome.isOver) outcome = await count(`${kind} slowed:${name}`, SLOWED[kind]);
    if (!outcome.isOver) continue;
    await takeBack();
    throw tooMany(outcome.waitSeconds);
  }
  return takeBack;
}

/** In counting order. */
function subjectsOf(attempt: Attempt): readonly (readonly [AttemptKind, string])[] {
  const { address, account, place = null, secret = "account" } = attempt;
  const network = address === null ? null : networkOf(address);
  if (account !== null && place !== null)
    return [[`${secret}FromPlace`, `${place.kind}:${place.name}:${account}`]];
  return [
    ...(network === null ? [] : [["network", network] as const]),
    ...(account === null ? [] : [["accountFromNetwork", `${network ?? ""}:${account}`] as const]),
    ...(account === null ? [] : [[secret, account] as const]),
  ];
}

/** Returns whether a code is used for the account for the first time in fifteen minutes. */
export async function isFirstUse(services: Services, { account, code }: { account: string; code: string }) {
  return (await countOne(services, `code:${account}:${code}`, WINDOW_SECONDS)).count === 1;
}

async function countOne({ sql, vault }: Services, name: string, seconds: number) {
  // A subject derived with a key that isn't in the database doesn't reveal who tried.
  const subject = vault.derive(`attempt:${name}`);
  const [row] = await sql<{ count: number; waitSeconds: number }[]>`
    insert into sign_in_attempts as a (subject, count, window_ends_at)
    values (${subject}, 1, clock_timestamp() + make_interval(secs => ${seconds}))
    on conflict (subject) do update set
      count = case when a.window_ends_at <= clock_timestamp() then 1 else a.count + 1 end,
      window_ends_at = case when a.window_ends_at <= clock_timestamp() then excluded.window_ends_at
        else a.window_ends_at end
    returning count, ceil(extract(epoch from window_ends_at - clock_timestamp()))::int as "waitSeconds"`;
  if (!row) throw new Error("The upsert of an attempt returned no row");
  return { subject, ...row };
}

function tooMany(waitSeconds: number): WaypostError {
  const minutes = Math.ceil(waitSeconds / 60);
  return new WaypostError("too_many_attempts", {
    message: `There were too many attempts. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
    headers: { "Retry-After": String(waitSeconds) },
    resendAfter: new Date(Date.now() + waitSeconds * 1000),
  });
}
