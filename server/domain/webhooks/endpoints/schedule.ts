/** After each attempt that failed, so long until the next one. The first is made at once. */
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

/** Up or down, so that what failed together doesn't come back together. */
export const JITTER = 0.2;

/** Who is overloaded, or so slow that nobody knows, is left alone for at least so long. */
const OVERLOAD_SECONDS = 60;

/** What of an answer says when to come back. */
export interface Wait {
  /** Too many requests, or no answer in time. */
  readonly isOverloaded: boolean;
  /** `Retry-After`; null where there was none that can be read. */
  readonly retryAfterSeconds: number | null;
}

/** @returns seconds until the next attempt after so many failed ones; null when there is none. */
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

/** @returns seconds for which an endpoint that was not reached so often in a row is left alone altogether. */
export function backoffSeconds(streak: number, wait: Wait, random: () => number = Math.random): number {
  const step = Math.min(BACKOFF_SECONDS_MAX, BACKOFF_SECONDS * 2 ** (streak - 1));
  return delayFrom(wait.isOverloaded ? Math.max(step, OVERLOAD_SECONDS) : step, wait, random);
}

/** `Retry-After` is honoured between one and two times the step. */
function delayFrom(step: number, { isOverloaded, retryAfterSeconds }: Wait, random: () => number): number {
  const jittered = step * (1 - JITTER + 2 * JITTER * random());
  const asked = retryAfterSeconds === null ? jittered : Math.min(Math.max(retryAfterSeconds, step), 2 * step);
  return isOverloaded ? Math.max(asked, OVERLOAD_SECONDS) : asked;
}
