/** The error of a timeout. It is unknown whether the work took effect. */
class TimeLimitExceeded extends Error {
  /** Same code as a broken connection (`isDatabaseUnavailable`). */
  readonly code = "ETIMEDOUT";
  override readonly name = "TimeLimitExceeded";
}

/**
 * Returns the result of `work` if it ends in time. The work isn't cancelled: the caller must undo late effects itself.
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

/** Returns true for the error that `withinTime` throws. */
export function isTimeLimitExceeded(error: unknown): boolean {
  return error instanceof TimeLimitExceeded;
}
