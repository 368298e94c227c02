const FIRST_SECONDS = 1;
const LONGEST_SECONDS = 300;
const JITTER = 0.2;

/**
 * Returns the seconds until the retry of a message that was certainly not sent: 1, 2, 4 … 300, each ± 20 %, so that
 * messages delayed together aren't retried together.
 * @param attempts finished attempts, including this one.
 */
export function retryDelaySeconds(attempts: number, random: () => number = Math.random): number {
  const base = Math.min(FIRST_SECONDS * 2 ** (attempts - 1), LONGEST_SECONDS);
  return base * (1 - JITTER + 2 * JITTER * random());
}

const PAIR_LIMIT_SECONDS_MAX = 256;

/**
 * Returns the seconds until a retry after a customer's pair limit: 4, 16, 64, then 256 (Meta, error 131056: wait 4^X
 * seconds).
 * @param streak consecutive responses of that kind, including this one.
 */
export function pairLimitSeconds(streak: number): number {
  return Math.min(4 ** streak, PAIR_LIMIT_SECONDS_MAX);
}
