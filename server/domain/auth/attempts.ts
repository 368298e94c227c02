import type { Services } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { networkOf } from "./network";
import type { KnownPlace } from "./places";

/** How many wrong attempts are let through, and in what time. */
interface Limit {
  readonly max: number;
  readonly seconds: number;
}

const WINDOW_SECONDS = 15 * 60;

/**
 * How often within fifteen minutes somebody may be wrong before they are slowed down. The same for an account that
 * doesn't exist.
 */
export const ATTEMPTS_MAX = {
  /** From one unknown network, whatever the account: an office has one. */
  network: 50,
  /** At one account from one unknown network. */
  accountFromNetwork: 10,
  /** At the password of one account, from all unknown places together. */
  account: 50,
  /** The same at its second factor, which is six digits: who gets that far knows the password. */
  secondFactor: 10,
  /** At the password of one account, from one browser or network that has signed in to it before. */
  accountFromPlace: 10,
  secondFactorFromPlace: 10,
} as const;

type AttemptKind = keyof typeof ATTEMPTS_MAX;

/**
 * What is let through beyond that. Nobody is told to wait for longer than these seconds, so no one shuts an owner out for
 * long by being wrong on purpose. The guesses stay few. Whoever starts anew in every fifteen minutes has, a day:
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

/** Who tries, and at which account; null where that isn't known. */
export interface Attempt {
  readonly address: string | null;
  readonly account: string | null;
  /** Where the account knows the browser or the network. It is then limited by its own attempts only. */
  readonly place?: KnownPlace | null;
  /** What is guessed at: the account's password, unless it says otherwise. */
  readonly secret?: "account" | "secondFactor";
}

/**
 * Counts an attempt before it is made, so that many at once can't all be let through.
 * @returns takes it back, for one that was right.
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

/** In the order in which they are counted. */
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

/** Whether this is the first time in fifteen minutes that a code is taken for the account. */
export async function isFirstUse(services: Services, { account, code }: { account: string; code: string }) {
  return (await countOne(services, `code:${account}:${code}`, WINDOW_SECONDS)).count === 1;
}

async function countOne({ sql, vault }: Services, name: string, seconds: number) {
  // A number that isn't in the database says less about who tried.
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
