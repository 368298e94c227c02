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
