/** Seconds from each failed attempt to the next one. The first attempt is made immediately. */
export const RETRY_STEPS_SECONDS = [
  5,
  5 * 60,
  30 * 60,
  2 * 3600,
  5 * 3600,
  10 * 3600,
  14 * 3600,
  20 * 3600,
  24 * 3600,
] as const;

export const ATTEMPTS_MAX = RETRY_STEPS_SECONDS.length + 1;

/** Up or down, so that deliveries that failed together aren't retried together. */
export const JITTER = 0.2;

/** Minimum wait after a 429 or a timeout. */
const OVERLOAD_SECONDS = 60;

/** The parts of a response that affect the wait. */
export interface Wait {
  /** Too many requests, or a timeout. */
  readonly isOverloaded: boolean;
  /** `Retry-After`; null if it is missing or invalid. */
  readonly retryAfterSeconds: number | null;
}

/**
 * Returns the delay of a delivery's next attempt. @returns seconds until it, after that many failed attempts; null if
 * there is none.
 */
export function retryDelaySeconds(
  attempts: number,
  wait: Wait,
  random: () => number = Math.random,
): number | null {
  const step = RETRY_STEPS_SECONDS[attempts - 1];
  return step === undefined ? null : delayFrom(step, wait, random);
}

const BACKOFF_SECONDS = 5;
const BACKOFF_SECONDS_MAX = 300;

/** Returns the back-off of an endpoint. @returns seconds, after that many consecutive calls that didn't reach it. */
export function backoffSeconds(streak: number, wait: Wait, random: () => number = Math.random): number {
  const step = Math.min(BACKOFF_SECONDS_MAX, BACKOFF_SECONDS * 2 ** (streak - 1));
  return delayFrom(wait.isOverloaded ? Math.max(step, OVERLOAD_SECONDS) : step, wait, random);
}

/** `Retry-After` sets the wait, limited to between one and two times the step. */
function delayFrom(step: number, { isOverloaded, retryAfterSeconds }: Wait, random: () => number): number {
  const jittered = step * (1 - JITTER + 2 * JITTER * random());
  const asked = retryAfterSeconds === null ? jittered : Math.min(Math.max(retryAfterSeconds, step), 2 * step);
  return isOverloaded ? Math.max(asked, OVERLOAD_SECONDS) : asked;
}
