import type { Services } from "../context";
import { WaypostError } from "../errors";
import { networkOf } from "./network";

const WINDOW_SECONDS = 15 * 60;

/** How often within fifteen minutes somebody may be wrong. The same for an account that doesn't exist. */
export const ATTEMPTS_MAX = {
  /** From one network, whatever the account: an office has one. */
  network: 50,
  /** At one account from one network, so that nobody shuts out its owner by being wrong on purpose. */
  accountFromNetwork: 10,
  /** At one account, from wherever. */
  account: 50,
} as const;

type AttemptKind = keyof typeof ATTEMPTS_MAX;

/** Who tries, and at which account; null where that isn't known. */
export interface Attempt {
  readonly address: string | null;
  readonly account: string | null;
}

/**
 * Counts an attempt before it is made, so that many at once can't all be let through.
 * @returns takes it back, for one that was right.
 * @throws WaypostError `too_many_attempts`, with how long to wait.
 */
export async function countAttempt(services: Services, attempt: Attempt): Promise<() => Promise<void>> {
  const counted: string[] = [];
  const takeBack = async () => {
    await services.sql`
      update sign_in_attempts set count = greatest(count - 1, 0) where subject = any(${counted}::text[])`;
  };
  for (const [kind, name] of subjectsOf(attempt)) {
    const { subject, count, waitSeconds } = await countOne(services, `${kind}:${name}`);
    counted.push(subject);
    if (count <= ATTEMPTS_MAX[kind]) continue;
    await takeBack();
    throw tooMany(waitSeconds);
  }
  return takeBack;
}

/** In the order in which they are counted. */
function subjectsOf({ address, account }: Attempt): readonly (readonly [AttemptKind, string])[] {
  const network = address === null ? null : networkOf(address);
  return [
    ...(network === null ? [] : [["network", network] as const]),
    ...(account === null ? [] : [["accountFromNetwork", `${network ?? ""}:${account}`] as const]),
    ...(account === null ? [] : [["account", account] as const]),
  ];
}

/** Whether this is the first time in fifteen minutes that a code is taken for the account. */
export async function isFirstUse(services: Services, { account, code }: { account: string; code: string }) {
  return (await countOne(services, `code:${account}:${code}`)).count === 1;
}

async function countOne({ sql, vault }: Services, name: string) {
  // A number that isn't in the database says less about who tried.
  const subject = vault.derive(`attempt:${name}`);
  const [row] = await sql<{ count: number; waitSeconds: number }[]>`
    insert into sign_in_attempts as a (subject, count, window_ends_at)
    values (${subject}, 1, clock_timestamp() + make_interval(secs => ${WINDOW_SECONDS}))
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
