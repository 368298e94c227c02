const FIRST_SECONDS = 1;
const LONGEST_SECONDS = 300;
const JITTER = 0.2;

/**
 * Seconds until a message that was certainly not sent is tried again: 1, 2, 4 … 300, each ± 20 %, so that messages held
 * up together don't come back together.
 * @param attempts finished attempts, this one included.
 */
export function retryDelaySeconds(attempts: number, random: () => number = Math.random): number {
  const base = Math.min(FIRST_SECONDS * 2 ** (attempts - 1), LONGEST_SECONDS);
  return base * (1 - JITTER + 2 * JITTER * random());
}

const PAIR_LIMIT_SECONDS_MAX = 256;

/**
 * Seconds until a customer's pair limit is tried again: 4, 16, 64, then 256 (Meta, error 131056: wait 4^X seconds).
 * @param streak answers of that kind in a row, this one included.
 */
export function pairLimitSeconds(streak: number): number {
  return Math.min(4 ** streak, PAIR_LIMIT_SECONDS_MAX);
}
