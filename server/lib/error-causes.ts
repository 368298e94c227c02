const CAUSES_MAX = 10;

/** Returns the error and its causes, outermost first; at most ten. */
export function errorCauses(error: Error): readonly Error[] {
  const chain = [error];
  for (let last = error.cause; last instanceof Error && chain.length < CAUSES_MAX; last = last.cause) {
    chain.push(last);
  }
  return chain;
}

/** Returns the innermost cause of an error. */
export function rootCause(error: Error): Error {
  return errorCauses(error).at(-1) ?? error;
}

/** Returns the system error code of a broken connection or call, such as `ECONNRESET`. Null if there is none. */
export function systemCodeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  for (const one of errorCauses(error)) if ("code" in one && typeof one.code === "string") return one.code;
  return null;
}
