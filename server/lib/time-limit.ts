/** What took too long; whether it took effect is not known. */
class TimeLimitExceeded extends Error {
  /** As a connection's that broke (`isDatabaseUnavailable`). */
  readonly code = "ETIMEDOUT";
  override readonly name = "TimeLimitExceeded";
}

/**
 * What `work` comes to, if it comes in time. It isn't stopped: who has to undo what it does too late keeps a hand on it.
 * @throws an error with the code `ETIMEDOUT` when the time is up.
 */
export async function withinTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeLimitExceeded(`No answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether that is what `withinTime` throws. */
export function isTimeLimitExceeded(error: unknown): boolean {
  return error instanceof TimeLimitExceeded;
}
