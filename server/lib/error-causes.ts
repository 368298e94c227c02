const CAUSES_MAX = 10;

/** The error and its causes, the outermost first; ten at most. */
export function errorCauses(error: Error): readonly Error[] {
  const chain = [error];
  for (let last = error.cause; last instanceof Error && chain.length < CAUSES_MAX; last = last.cause) {
    chain.push(last);
  }
  return chain;
}

/** The innermost cause of an error. */
export function rootCause(error: Error): Error {
  return errorCauses(error).at(-1) ?? error;
}

/** The code of what broke a connection or a call, such as `ECONNRESET`; null for what has none. */
export function systemCodeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  for (const one of errorCauses(error)) if ("code" in one && typeof one.code === "string") return one.code;
  return null;
}
